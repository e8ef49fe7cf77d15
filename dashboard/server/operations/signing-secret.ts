import { z } from 'zod'
import { rotateSigningSecret } from '../../../commands/accounts/signing-secret.ts'
import { findAccount, findAndLockAccount } from '../../../db/accounts/accounts.ts'
import type { EntityManager } from '../../../db/database.ts'
import { ApiError, orNotFound } from '../../../http/api-error.ts'
import { operation } from '../../../http/operation.ts'
import { openSigningSecret } from '../../../security/sealing/secret-contexts.ts'
import {
  signingSecretSchema,
  signingSecretVersionSchema,
  signingSecretView,
} from '../../../views/accounts/signing-secret.ts'

const tag = 'Signing secret'

const reveal = operation({
  id: 'revealSigningSecret',
  method: 'post',
  path: '/signing-secret/reveal',
  tag,
  summary: 'Show the secret that signs viewer tokens',
  scope: 'secrets:write',
  isElevated: true,
  status: 200,
  response: signingSecretSchema,
  audit: { action: 'signing_secret.reveal', fields: ['version'] },
  errors: ['account_not_found'],
  handle({ deps, accountId, commit }) {
    return commit(async (tx) => {
      const account = orNotFound(await findAccount(tx, accountId), 'account_not_found')
      const secret = openSigningSecret(deps.masterKeys, account)
      return signingSecretView({ secret, version: account.signingSecretVersion })
    })
  },
})

const readCurrent = operation({
  id: 'getSigningSecretVersion',
  method: 'get',
  path: '/signing-secret',
  tag,
  summary: 'Get the version of the secret that signs viewer tokens',
  description: 'A page that shows a secret asks whether another one has replaced it.',
  scope: 'secrets:write',
  status: 200,
  response: signingSecretVersionSchema,
  errors: ['account_not_found'],
  async handle({ deps, accountId }) {
    const found = await findAccount(deps.db.em.fork(), accountId)
    const { signingSecretVersion: version } = orNotFound(found, 'account_not_found')
    return { object: 'signing_secret_version' as const, version }
  },
})

const rotateBody = z.strictObject({
  account_name: z
    .string()
    .meta({ description: 'The name of the account, typed to confirm the rotation.' }),
})

/** Reads the version for the audit log, which holds no secret. */
async function readVersion(tx: EntityManager, accountId: number) {
  const account = await findAndLockAccount(tx, accountId)
  return account && { version: account.signingSecretVersion }
}

const rotate = operation({
  id: 'rotateSigningSecret',
  method: 'post',
  path: '/signing-secret/rotate',
  tag,
  summary: 'Replace the secret that signs viewer tokens',
  description:
    'Immediately, no viewer token that was signed with the old secret works, and playback ends at the next heartbeat. Sites that sign tokens need the new secret.',
  scope: 'secrets:write',
  isElevated: true,
  body: rotateBody,
  status: 200,
  response: signingSecretSchema,
  audit: { action: 'signing_secret.rotate', fields: ['version'], before: readVersion },
  errors: ['account_not_found'],
  handle({ deps, accountId, body, commit }) {
    return commit(async (tx) => {
      const account = orNotFound(await findAccount(tx, accountId), 'account_not_found')
      requireName(account.name, body.account_name)
      const rotated = await rotateSigningSecret(tx, deps.masterKeys, accountId)
      return signingSecretView(orNotFound(rotated, 'account_not_found'))
    })
  },
})

function requireName(name: string, typed: string): void {
  if (typed.trim() === name.trim()) return
  throw new ApiError('invalid_parameter', {
    param: 'account_name',
    message: '`account_name` must be the name of the account.',
  })
}

export const signingSecretOperations = [reveal, readCurrent, rotate]
