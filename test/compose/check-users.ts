import type { Installation } from './installation.ts'

/** Each statement must fail for the user, in the database. */
const REFUSED: readonly [user: string, database: string, statement: string][] = [
  ['reelgate', 'temporal', 'SELECT 1'],
  ['temporal', 'reelgate', 'SELECT 1'],
  ['reelgate', 'postgres', 'SELECT 1'],
  ['reelgate', 'reelgate', 'CREATE ROLE more'],
  ['reelgate', 'reelgate', 'CREATE DATABASE more'],
  ['reelgate', 'reelgate', "COPY (SELECT 1) TO PROGRAM 'true'"],
  ['temporal', 'temporal', "SELECT pg_read_file('/etc/passwd')"],
]

/** Throws if a user of the database may do what only the superuser or the other user may. */
export async function checkUsers({ compose }: Installation): Promise<void> {
  const run = (user: string, database: string, statement: string) =>
    compose('exec', '-T', 'postgres', 'psql', '-X', '-U', user, '-d', database, '-c', statement)
  for (const [user, database] of [
    ['reelgate', 'reelgate'],
    ['temporal', 'temporal'],
  ] as const)
    await run(user, database, 'CREATE TABLE probe (); DROP TABLE probe')
  for (const [user, database, statement] of REFUSED) {
    const isAllowed = await run(user, database, statement).then(
      () => true,
      (error: Error) => {
        if (!/permission denied/.test(error.message)) throw error
        return false
      },
    )
    if (isAllowed) throw new Error(`the database lets ${user} do: ${statement} (in ${database})`)
  }
}
