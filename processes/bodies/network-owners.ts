import type { Request } from 'express'
import { networkOf } from '../network-of.ts'
import type { BodyOwner } from './body-budget.ts'

/** A quarter of the budget: an office shares a network. */
const NETWORK_SHARE = 0.25

/** For whom the bytes of a request count whose sender is not known yet: its network. */
export const networkOwnersOf = ({ ip = '' }: Request): readonly BodyOwner[] => [
  { name: `network:${networkOf(ip)}`, share: NETWORK_SHARE },
]
