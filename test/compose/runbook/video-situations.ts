import { z } from 'zod'
import { waitFor } from '../../infrastructure/wait-for.ts'
import { awaitStatus, callApi, createVideo } from '../journey.ts'
import type { Drill, Situation } from './drill.ts'

const deliveriesSchema = z.array(z.object({ id: z.union([z.int(), z.string()]) }))

/** Situations of videos and webhooks, by their titles in the runbook. */
export const VIDEO_SITUATIONS: Record<string, Situation> = {
  async 'A video has failed'({ hosts, site, alerts, follow }) {
    // The alert ignores fewer.
    const videos = await Promise.all(
      Array.from({ length: 6 }, () => createVideo(hosts, site.brokenUrl)),
    )
    for (const video of videos) await awaitStatus(hosts, video.id, 'failed')
    await alerts.fire('ReelgateVideosFail')
    const id = videos[0]?.id ?? ''
    const output = await follow('A video has failed', { ID: id })
    if (!output.includes('unsupported_container'))
      throw new Error(`the commands do not show why:\n${output}`)
  },

  async 'A video makes no progress'({ installation, hosts, site, alerts, follow }) {
    const { id } = await createVideo(hosts, site.videoUrl)
    await awaitStatus(hosts, id, 'playable')
    await installation.compose('kill', 'worker')
    await alerts.fire('ReelgateEncodeBacklogOld')
    await installation.shell('WORKER_QUEUES=ingest,webhooks docker compose up -d --wait worker')
    const other = await createVideo(hosts, site.sourceUrl)
    await alerts.fire('ReelgateBacklogOld')
    await follow('A video makes no progress', { ID: id })
    for (const video of [other.id, id]) await awaitStatus(hosts, video, 'ready')
  },

  async 'Videos are accepted and do not begin'({ installation, hosts, site, alerts, follow }) {
    await installation.compose('stop', 'worker')
    const { id } = await createVideo(hosts, site.sourceUrl)
    const content = 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n'
    await callApi(hosts, `/v1/videos/${id}/captions`, { language_code: 'en', label: 'E', content })
    await alerts.fire('ReelgateNoWorkers', 'ReelgateNoPollers', 'ReelgateOutboxLag')
    await alerts.fire('ReelgateCaptionsNotIndexed')
    await follow('Videos are accepted and do not begin')
    await awaitStatus(hosts, id, 'ready')
  },

  async 'A workflow fails its tasks'({ installation, hosts, site }) {
    const { id } = await createVideo(hosts, site.videoUrl)
    await awaitStatus(hosts, id, 'playable')
    await installation.compose(
      'exec',
      '-T',
      'api',
      'node',
      '--input-type=module',
      '-e',
      terminate(id),
    )
    await awaitStatus(hosts, id, 'ready')
  },

  async 'A receiver was down for a day'({ installation, site, follow }) {
    // As after the fifth attempt, which comes after two and a half hours.
    await installation.shell(`docker compose exec postgres psql -U postgres -d reelgate -c "
      update webhook_delivery set status = 'failed' where id = (select max(id) from webhook_delivery)"`)
    const before = site.verified.length
    await follow('A receiver was down for a day')
    await waitFor('the event again', async () => site.verified.length > before)
  },

  async 'Deliveries fail, or stay pending'(drill) {
    const { site, alerts, follow } = drill
    const id = await pendingDelivery(drill)
    await alerts.fire('ReelgateDeliveryStuck', 'ReelgateDeliveriesFail')
    site.setDown(false)
    const before = site.verified.length
    await follow('Deliveries fail, or stay pending', { ID: id })
    await waitFor('the delivery', async () => site.verified.length > before)
  },

  async 'A receiver refuses signatures'({ site, follow }) {
    // The exit status says that this receiver also accepts what it should not.
    const output = await follow(
      'A receiver refuses signatures',
      { URL: site.receiverUrl },
      { input: `${site.secret()}\n` },
    ).catch((error: Error) => error.message)
    if (!output.includes('two-secrets')) throw new Error(`no line about two secrets:\n${output}`)
  },
}

/** What an operator does in the Web UI. */
const terminate = (id: string): string => `
  import { Client, Connection } from '@temporalio/client'
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = process.env
  const connection = await Connection.connect({ address })
  await new Client({ connection, namespace }).workflow.getHandle('video-${id}').terminate()
  await connection.close()`

/** Returns the id of a delivery whose receiver responds with 500. */
async function pendingDelivery({ installation, hosts, site }: Drill): Promise<string> {
  site.setDown(true)
  await createVideo(hosts, site.sourceUrl)
  const args = ['deliveries', 'list', '--status', 'pending', '--json']
  return waitFor('a pending delivery', async () => {
    const [delivery] = deliveriesSchema.parse(JSON.parse(await installation.reelgate(...args)))
    return delivery && String(delivery.id)
  })
}
