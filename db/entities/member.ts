import { defineEntity, p } from '@mikro-orm/core'
import type { ActorKind, AuditedFields } from '../../domain/accounts/audit.ts'
import type { Role } from '../../domain/accounts/roles.ts'
import type { SavedSearch } from '../../domain/videos/saved-search.ts'

export const MemberSchema = defineEntity({
  name: 'Member',
  tableName: 'member',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** In lowercase; identifies the member at sign-in. */
    email: p.text().unique(),
    name: p.text().default(''),
    /** A PHC string (`security/password.ts`); null for a member who signs in with passkeys only. */
    passwordHash: p.text().strictNullable(),
    /** Whether the member runs the installation; no role implies it. */
    isOperator: p.boolean().default(false),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

/** A person who signs in to the dashboard. */
export class Member extends MemberSchema.class {}
MemberSchema.setClass(Member)

export const MembershipSchema = defineEntity({
  name: 'Membership',
  tableName: 'membership',
  properties: {
    accountId: p.integer().primary(),
    memberId: p.bigint('number').primary(),
    role: p.text().$type<Role>(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

/** The role of a member in one account. */
export class Membership extends MembershipSchema.class {}
MembershipSchema.setClass(Membership)

export const InvitationSchema = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** SHA-256 of the token in the link. */
    tokenHash: p.text().unique(),
    accountId: p.integer(),
    role: p.text().$type<Role>(),
    /** The only member who may accept it; null if any may. */
    email: p.text().strictNullable(),
    /** The name of the actor, for the list of invitations. */
    invitedBy: p.text(),
    /** A link of the operator may also set a new password for a member who exists. */
    isFromOperator: p.boolean(),
    /** Whether its reader becomes an operator; only a link of the operator can (checked by the table). */
    grantsOperator: p.boolean().default(false),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
    usedAt: p.datetime().strictNullable(),
  },
})

/** A link that makes its reader a member of an account, once. */
export class Invitation extends InvitationSchema.class {}
InvitationSchema.setClass(Invitation)

export const DashboardSessionSchema = defineEntity({
  name: 'DashboardSession',
  tableName: 'dashboard_session',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** SHA-256 of the token in the cookie. */
    tokenHash: p.text().unique(),
    memberId: p.bigint('number'),
    ip: p.text(),
    agent: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** Written at most once a minute. */
    lastSeenAt: p.datetime().defaultRaw('now()'),
    /** Until then, operations that require fresh authentication are allowed. */
    elevatedUntil: p.datetime().defaultRaw('now()'),
    /** The passkey of the last confirmation or the sign-in; null for a password. */
    passkeyId: p.text().nullable(),
  },
})

/** A signed-in browser. */
export class DashboardSession extends DashboardSessionSchema.class {}
DashboardSessionSchema.setClass(DashboardSession)

export const SignInGuessSchema = defineEntity({
  name: 'SignInGuess',
  tableName: 'sign_in_guess',
  properties: {
    key: p.text().primary(),
    points: p.integer().default(0),
    /** In ms since 1970; null if the key never expires. */
    expire: p.bigint('number').strictNullable(),
  },
})

export const FailedSignInSchema = defineEntity({
  name: 'FailedSignIn',
  tableName: 'failed_sign_in',
  properties: {
    memberId: p.bigint('number').primary(),
    /** How often a wrong password was entered for the address of the member. */
    count: p.integer().default(1),
    /** When it was the first time. */
    since: p.datetime().defaultRaw('now()'),
  },
})

export class FailedSignIn extends FailedSignInSchema.class {}
FailedSignInSchema.setClass(FailedSignIn)

export const PasskeySchema = defineEntity({
  name: 'Passkey',
  tableName: 'passkey',
  properties: {
    /** The credential id, in base64url. */
    id: p.text().primary(),
    memberId: p.bigint('number'),
    /** The public key in COSE form. */
    publicKey: p.blob(),
    counter: p.bigint('number'),
    transports: p.array<string>(),
    name: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    lastUsedAt: p.datetime().strictNullable(),
  },
})

export class Passkey extends PasskeySchema.class {}
PasskeySchema.setClass(Passkey)

export const SavedViewSchema = defineEntity({
  name: 'SavedView',
  tableName: 'saved_view',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.integer(),
    memberId: p.bigint('number'),
    name: p.text(),
    search: p.json<SavedSearch>(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
})

/** Filters and order of the list of videos, which a member has saved under a name. */
export class SavedView extends SavedViewSchema.class {}
SavedViewSchema.setClass(SavedView)

export const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** Null for a change of the whole installation. */
    accountId: p.integer().strictNullable(),
    actorKind: p.text().$type<ActorKind>(),
    /** The id of the member or the API key; null for the operator. */
    actorId: p.bigint('number').strictNullable(),
    actorName: p.text(),
    action: p.text(),
    /** What was changed, such as the id of a video. */
    subject: p.text(),
    before: p.json<AuditedFields>().strictNullable(),
    after: p.json<AuditedFields>().strictNullable(),
    requestId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

/** One change of the record: by whom, of what, from what and to what. */
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry)
