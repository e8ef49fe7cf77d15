import { holdAccount, lockAccount } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Invitation, Member } from '../../db/entities/member.ts'
import { countInvitations, findOpenInvitation } from '../../db/members/invitations.ts'
import { findAndLockMemberByEmail, listAccountsOf, lockMember } from '../../db/members/members.ts'
import {
  deleteInvitation,
  insertInvitation,
  useInvitation,
} from '../../db/members/write-invitations.ts'
import { insertMember, raiseRole } from '../../db/members/write-members.ts'
import type { Actor } from '../../domain/accounts/audit.ts'
import { strongerRole, type Role } from '../../domain/accounts/roles.ts'
import {
  INVITATION_TTL_MS,
  OPEN_INVITATIONS_MAX,
  OPERATOR_LINK_TTL_MS,
} from '../../domain/limits.ts'
import { createSecretToken, hashSecretToken } from '../../security/tokens/secret-token.ts'
import { Refusal, refuseViolation } from '../refusal.ts'
import { actorOf, type NamedMember } from './audit-member.ts'
import { replaceCredentials } from './credentials.ts'
import { isSameEmail } from './email-address.ts'
import { setOperator } from './operators.ts'
import { rename } from './rename.ts'

export interface NewInvitation {
  accountId: number
  role: Role
  /** As `normalEmail` returns it; null if the reader of the link chooses the address. */
  email: string | null
  /** True to make the reader an operator of the installation. Only the operator may. */
  grantsOperator?: boolean
  by: Actor
}

/** An invitation with its token, which cannot be read again: only its hash is stored. */
export interface InvitationWithToken {
  invitation: Invitation
  token: string
}

/**
 * Creates an invitation. One of the operator ends after a day, one of a member after a week. Call it in a transaction.
 * Refuses with `account_not_found`, also if the deletion of the account has begun, and a member with `too_many_invitations`.
 */
export async function createInvitation(
  em: EntityManager,
  { accountId, role, email, grantsOperator = false, by }: NewInvitation,
): Promise<InvitationWithToken> {
  // The operator's link is the way back in, so no member can keep it from being made.
  const isLimited = by.kind !== 'operator'
  if (isLimited) await lockAccount(em, accountId)
  if (!(await holdAccount(em, accountId))) throw new Refusal('account_not_found')
  if (isLimited && (await countInvitations(em, accountId, new Date())) >= OPEN_INVITATIONS_MAX)
    throw new Refusal('too_many_invitations')
  const token = createSecretToken()
  const ttlMs = by.kind === 'operator' ? OPERATOR_LINK_TTL_MS : INVITATION_TTL_MS
  const invitation = await insertInvitation(em, {
    tokenHash: hashSecretToken(token),
    accountId,
    role,
    email,
    invitedBy: by.name,
    isFromOperator: by.kind === 'operator',
    grantsOperator,
    expiresAt: new Date(Date.now() + ttlMs),
    usedAt: null,
  })
  return { invitation, token }
}

/** The person who opens an invitation. */
export interface Acceptance {
  /** As `normalEmail` returns it. */
  email: string
  name: string
  /** A PHC string (`security/password.ts`). */
  passwordHash: string
  /** True if the person knows that the address has a member, whose ways to sign in are replaced. */
  replacesMember?: boolean
}

/**
 * Uses an invitation: makes its reader a member of the account with its role, and an operator if it grants that.
 * Call it in a transaction.
 * For a member who exists already it is the way back in, if `isWayBackIn` says so: it replaces the member's
 * credentials and name. Refuses with `invitation_not_found`, `sign_in_to_accept`, and `member_exists` unless the person
 * agrees to that.
 */
export async function acceptInvitation(
  tx: EntityManager,
  token: string,
  person: Acceptance,
): Promise<{ memberId: number; invitation: Invitation }> {
  const invitation = await requireInvitation(tx, token, person.email)
  const known = await findAndLockMemberByEmail(tx, person.email)
  if (known) await requireWayBackIn(tx, invitation, known, person.replacesMember ?? false)
  const memberId = known?.id ?? (await addMember(tx, person))
  const member = { id: memberId, email: known?.email ?? person.email }
  await enterAccount(tx, invitation, member)
  if (known) {
    await replaceCredentials(tx, member, person.passwordHash)
    await rename(tx, { ...member, name: known.name }, person.name)
  }
  return { memberId, invitation }
}

async function requireWayBackIn(
  tx: EntityManager,
  invitation: Invitation,
  known: Readonly<Member>,
  isAgreed: boolean,
): Promise<void> {
  if (!(await isWayBackIn(tx, invitation, known))) throw new Refusal('sign_in_to_accept')
  if (!isAgreed) throw new Refusal('member_exists')
}

/**
 * True if an invitation may set the password of a member who exists: a link of the operator that names
 * the member, or that opens all that the member can open already. The reader of any other link could
 * take over a member of another account, one with a stronger role, or a member who is an operator.
 */
async function isWayBackIn(
  tx: EntityManager,
  { isFromOperator, email, accountId, role, grantsOperator }: Invitation,
  { id: memberId, isOperator }: Readonly<Member>,
): Promise<boolean> {
  if (!isFromOperator) return false
  if (email !== null) return true
  if (isOperator && !grantsOperator) return false
  const accounts = await listAccountsOf(tx, memberId)
  return accounts.every(
    (one) => one.accountId === accountId && strongerRole(one.role, role) === role,
  )
}

/** Uses an invitation for a member who is signed in. Refuses with `invitation_not_found`. */
export async function joinAccount(
  tx: EntityManager,
  token: string,
  member: NamedMember,
): Promise<Invitation> {
  await lockMember(tx, member.id)
  const invitation = await requireInvitation(tx, token, member.email)
  await enterAccount(tx, invitation, member)
  return invitation
}

/**
 * Gives a member what an invitation grants, which never lowers a role, and uses it up. The last is a conditional
 * update: of two readers of one link, the second finds it used and its transaction is rolled back.
 */
async function enterAccount(
  tx: EntityManager,
  { id, accountId, role, grantsOperator }: Invitation,
  member: NamedMember,
): Promise<void> {
  // Before the invitation: the order of the locks in `db/accounts/callers.ts`.
  await raiseRole(tx, { accountId, memberId: member.id, role })
  if (!(await useInvitation(tx, id, new Date()))) throw new Refusal('invitation_not_found')
  if (grantsOperator) await setOperator(tx, member, { isOperator: true, by: actorOf(member) })
}

/** Withdraws an invitation. Refuses with `invitation_not_found`. */
export async function withdrawInvitation(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<void> {
  if (!(await deleteInvitation(em, accountId, id))) throw new Refusal('invitation_not_found')
}

/** True if the holder of an address may use an invitation. */
export const isForEmail = (invitation: Pick<Invitation, 'email'>, email: string): boolean =>
  invitation.email === null || isSameEmail(invitation.email, email)

async function requireInvitation(
  tx: EntityManager,
  token: string,
  email: string,
): Promise<Invitation> {
  const invitation = await findOpenInvitation(tx, hashSecretToken(token), new Date())
  if (!invitation || !isForEmail(invitation, email)) throw new Refusal('invitation_not_found')
  return invitation
}

// Two links for one new address may be opened at the same time.
const addMember = (tx: EntityManager, { email, name, passwordHash }: Acceptance): Promise<number> =>
  refuseViolation(insertMember(tx, { email, name, passwordHash }), 'unique', 'sign_in_to_accept')
