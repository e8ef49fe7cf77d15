import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operatorActor } from '../cli/operator.ts'
import { inviteByOperator } from '../commands/members/by-operator.ts'
import { openDatabase, type EntityManager } from '../db/database.ts'
import { findOpenInvitation } from '../db/members/invitations.ts'
import { listMembers } from '../db/members/members.ts'
import { hashSecretToken } from '../security/tokens/secret-token.ts'

export interface OwnerLinkOptions {
  dataDir: string
  databaseUrl: string
  accountId: number
  /** Without a slash at the end. */
  dashboardBase: string
}

/**
 * Returns a link that makes its reader the owner of the account and an operator, or null once the account has a member. The link
 * works once and for a day. It is kept in `owner-link.txt`, which only its owner can read, so that a second start
 * within the day prints the same one.
 */
export async function ensureOwnerLink(options: OwnerLinkOptions): Promise<string | null> {
  const database = await openDatabase({ url: options.databaseUrl, poolSize: 2 })
  try {
    return await keepOwnerLink(database.em.fork(), options)
  } finally {
    await database.close(true)
  }
}

async function keepOwnerLink(
  em: EntityManager,
  { dataDir, accountId, dashboardBase }: OwnerLinkOptions,
): Promise<string | null> {
  const path = join(dataDir, 'owner-link.txt')
  if ((await listMembers(em, accountId)).length > 0) {
    rmSync(path, { force: true })
    return null
  }
  const known = await openTokenIn(em, path, accountId)
  const token = known ?? (await inviteOwner(em, accountId))
  const link = `${dashboardBase}/welcome#${token}`
  writeFileSync(path, `${link}\n`, { mode: 0o600 })
  return link
}

/** The token of the stored link if it can still be used, and makes an operator. */
async function openTokenIn(
  em: EntityManager,
  path: string,
  accountId: number,
): Promise<string | null> {
  if (!existsSync(path)) return null
  const token = readFileSync(path, 'utf8').trim().split('#')[1] ?? ''
  const invitation = await findOpenInvitation(em, hashSecretToken(token), new Date())
  return invitation?.accountId === accountId && invitation.grantsOperator ? token : null
}

async function inviteOwner(em: EntityManager, accountId: number): Promise<string> {
  const facts = { accountId, role: 'owner', email: null } as const
  const invitation = { ...facts, grantsOperator: true, by: operatorActor() }
  return (await inviteByOperator(em, invitation)).token
}
