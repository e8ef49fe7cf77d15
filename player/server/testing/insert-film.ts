import { randomBytes } from 'node:crypto'
import { createAccount } from '../../../db/accounts.ts'
import type { Database } from '../../../db/database.ts'
import { ContentKey, Rendition, Video } from '../../../db/entities/video.ts'
import type { Rendition as RenditionFacts } from '../../../domain/rendition.ts'
import { seal } from '../../../security/sealing.ts'
import { contentKeyContext, signingSecretContext } from '../../../security/secret-contexts.ts'
import type { MasterKeys } from '../../../security/sealing.ts'

/** The page that frames the embed, where a test says nothing else. */
export const SITE = 'https://site.example/page'

/** The one rendition of a test's film: two segments. */
export const RUNG: RenditionFacts = {
  ...{ kind: 'video', name: '360p', trackType: 'SD', codecs: 'avc1.64001e', width: 640 },
  ...{ height: 360, frameRate: '30/1', language: null, label: null, channels: null },
  ...{ sampleRate: null, bandwidthBps: 900_000, averageBandwidthBps: 800_000, timescale: 15_360 },
  segments: [
    { durationTicks: 61_440, sizeBytes: 10 },
    { durationTicks: 30_720, sizeBytes: 5 },
  ],
  ...{ durationMs: 6_000, sizeBytes: 20 },
}

/** One account with one ClearKey video that is ready, its rendition and its key. */
export async function insertFilm(
  db: Database,
  { masterKeys, signingSecret }: { masterKeys: MasterKeys; signingSecret: string },
  { rung = RUNG, ...video }: Partial<Video> & { title: string; rung?: RenditionFacts },
) {
  const videoId = randomBytes(10).toString('hex')
  const [keyId, contentKey] = [randomBytes(16), randomBytes(16)]
  const accountId = await createAccount(db.em.fork(), {
    ...{ name: 'Test', protection: 'clearkey', storageLimitBytes: null },
    sealSigningSecret: (id) => seal(masterKeys, signingSecret, signingSecretContext(id)),
  })
  const em = db.em.fork()
  await em.insert(Video, {
    ...{ id: videoId, accountId, sourceUrl: 'https://x.example/' },
    ...{ status: 'ready', protection: 'clearkey', ...video },
  } as Video)
  await em.insert(Rendition, { videoId, name: rung.name, facts: rung })
  await em.insert(ContentKey, {
    ...{ videoId, trackType: 'SD', keyId: keyId.toString('hex'), systems: [] },
    sealedKey: seal(masterKeys, contentKey, contentKeyContext(videoId, 'SD')),
  })
  return { accountId, videoId, keyId, contentKey }
}
