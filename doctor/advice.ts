/** Ends a check: its message says in one line what is wrong and what to do, for the operator. */
export class Advice extends Error {
  override name = 'Advice'
}
