import { SMALL_BODY_MAX_BYTES } from '../domain/limits.ts'
import type { BodyOwner } from '../processes/bodies/body-budget.ts'
import type { Caller } from './caller.ts'
import type { Operation } from './operation.ts'

/** The largest body of an operation, in bytes: of its file, as it declares, or 64 KiB. */
export const bodyMaxBytesOf = ({
  fileMaxBytes,
  bodyMaxBytes = SMALL_BODY_MAX_BYTES,
}: Pick<Operation, 'fileMaxBytes' | 'bodyMaxBytes'>): number => fileMaxBytes ?? bodyMaxBytes

/** Half of the budget for an account, and less for one key or member, so that the others of the account can continue. */
const ACCOUNT_SHARE = 0.5
const ACTOR_SHARE = 0.375

/** For whom the bytes of a request are counted: its account, and the key or member who sends it. */
export const bodyOwnersOf = ({ accountId, actor }: Caller): readonly BodyOwner[] => [
  { name: `account:${accountId}`, share: ACCOUNT_SHARE },
  { name: `${actor.kind}:${actor.id}`, share: ACTOR_SHARE },
]
