import { describe, expect, it } from 'vitest'
import { dashboardViewerId } from '../../domain/settings/preview-look.ts'
import { countAll } from '../../test/audience/count-all.ts'
import { setUpRecordStoreFixture } from '../../test/fixtures/record-store.ts'
import { requestErasure } from '../viewers/erase-viewer.ts'

const t = setUpRecordStoreFixture()

const verbs = async () => (await t.waiting()).map(({ verb }) => verb)

describe('a session that is counted', () => {
  it('is a statement of the Video Profile, with what was watched', async () => {
    await t.set()
    const sessionId = await t.watch({ viewerId: 'Anna "Ä"', watchedSeconds: 48.4, parts: 60 })
    await t.sendAll()
    expect([...t.store.stored.values()]).toEqual([
      {
        id: expect.any(String),
        actor: {
          objectType: 'Agent',
          account: { homePage: 'https://school.test', name: 'Anna "Ä"' },
        },
        verb: {
          id: 'http://adlnet.gov/expapi/verbs/terminated',
          display: { 'en-US': 'terminated' },
        },
        object: {
          objectType: 'Activity',
          id: expect.stringMatching(`^https://play.test/${t.videoId}/`),
          definition: {
            type: 'https://w3id.org/xapi/video/activity-type/video',
            name: { und: 'Opening night' },
          },
        },
        result: {
          duration: 'PT48.4S',
          extensions: {
            'https://w3id.org/xapi/video/extensions/time': 60,
            'https://w3id.org/xapi/video/extensions/progress': 0.6,
            'https://w3id.org/xapi/video/extensions/played-segments': '0[.]60',
          },
        },
        context: {
          registration: expect.any(String),
          contextActivities: {
            category: [{ objectType: 'Activity', id: 'https://w3id.org/xapi/video' }],
          },
          extensions: {
            'https://w3id.org/xapi/video/extensions/session-id': sessionId,
            'https://w3id.org/xapi/video/extensions/length': 100,
            'https://w3id.org/xapi/video/extensions/speed': '1.25x',
            'https://w3id.org/xapi/video/extensions/completion-threshold': 0.9,
          },
        },
        timestamp: expect.any(String),
      },
    ])
  })

  it('completes its video once for each viewer, with what all sessions have shown', async () => {
    await t.set()
    await t.watch({ watchedSeconds: 80, parts: 70 })
    expect(await verbs()).toEqual(['terminated'])
    await t.watch({ watchedSeconds: 90, parts: 90 })
    await t.watch({ watchedSeconds: 100, parts: 100 })
    await t.watch({ viewerId: 'ben', watchedSeconds: 95, parts: 95 })
    await t.sendAll()
    const completed = [...t.store.stored.values()].filter(({ verb }) =>
      verb.id.endsWith('completed'),
    )
    expect(completed.map(({ actor, result }) => [actor.account.name, result])).toMatchObject([
      [
        'anna',
        {
          completion: true,
          duration: 'PT170S',
          extensions: {
            'https://w3id.org/xapi/video/extensions/progress': 0.9,
            'https://w3id.org/xapi/video/extensions/played-segments': '0[.]90',
          },
        },
      ],
      ['ben', { completion: true, duration: 'PT95S' }],
    ])
  })

  it('and goes on is another statement with its new totals; counted again without a change it is none', async () => {
    await t.set()
    const sessionId = await t.watch({ watchedSeconds: 60 })
    await t.execute('update playback_record set is_open = true')
    await countAll(t.db)
    expect(await t.waiting()).toHaveLength(1)
    await t.watch({ sessionId, watchedSeconds: 75 })
    await t.sendAll()
    const durations = [...t.store.stored.values()].map(
      ({ result }) => (result as { duration: string }).duration,
    )
    expect(durations).toEqual(['PT60S', 'PT75S'])
    // As after a restored backup.
    await t.execute(`update playback_record set is_open = true, counted = null`)
    await countAll(t.db)
    expect(await t.waiting()).toHaveLength(1)
    await t.sendAll()
    expect(t.store.stored.size).toBe(2)
    expect(t.store.requests).toHaveLength(2)
  })

  it('is none without a record store that is on, a viewer, or a play, nor of a member', async () => {
    await t.watch()
    await t.set({ isActive: false })
    await t.watch()
    await t.set()
    await t.watch({ viewerId: null })
    await t.watch({ watchedSeconds: 2 })
    await t.watch({ viewerId: dashboardViewerId(7) })
    expect(await t.waiting()).toEqual([])
  })

  it('is none of a viewer who is being erased', async () => {
    await t.set()
    await t.em().transactional((tx) => requestErasure(tx, t.ownerId, 'anna'))
    await t.watch({ watchedSeconds: 95, parts: 95 })
    await t.watch({ viewerId: 'ben' })
    expect((await t.waiting()).map(({ viewerId }) => viewerId)).toEqual(['ben'])
  })
})
