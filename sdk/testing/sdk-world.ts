import { afterAll, beforeAll } from '@jest/globals'
import { setUpApi } from '../../api/testing/api-world.ts'
import type { ApiWorld } from '../../api/testing/api-world.ts'
import { Account } from '../../db/entities/account.ts'
import { openSigningSecret } from '../../security/secret-contexts.ts'
import { Reelgate } from '../src/index.ts'
import type { ReelgateOptions } from '../src/index.ts'
import { openFront } from './front.ts'
import type { Front } from './front.ts'

/** The client before the real API, with a front between them that can fail. */
export interface SdkWorld {
  api: ApiWorld
  front: Front
  reelgate: Reelgate
  /** A client of its own, through the front. */
  clientWith: (options?: Partial<ReelgateOptions>) => Reelgate
  signingSecret: () => Promise<string>
}

/** Sets the client up for one test file. */
export function setUpSdk(): SdkWorld {
  const world = { api: setUpApi() } as SdkWorld
  const { api } = world
  beforeAll(async () => {
    world.front = await openFront(() => api.base)
    world.reelgate = world.clientWith()
  })
  afterAll(() => world.front.close())
  world.clientWith = (options) =>
    new Reelgate({ apiKey: api.ours.key, baseUrl: world.front.url, ...options })
  world.signingSecret = async () => {
    const account = await api.db.em.fork().findOneOrFail(Account, { id: api.ours.id })
    return openSigningSecret(api.masterKeys, account)
  }
  return world
}
