import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { waitFor } from '../../infrastructure/wait-for.ts'
import { awaitApi, awaitStatus, callApi, createVideo } from '../journey.ts'
import type { Drill, Situation } from './drill.ts'
import { changeMasterKey } from './use-installation.ts'

/** Situations of keys, backups and changes, by their titles in the runbook. */
export const CHANGE_SITUATIONS: Record<string, Situation> = {
  async 'An API key is known to others'({ installation, hosts, follow }) {
    const create = ['keys', 'create', '--account', '1', '--scopes', 'all', '--json']
    const made = await installation.reelgate(...create)
    const { id, key } = z.object({ id: z.int(), key: z.string() }).parse(JSON.parse(made))
    const withKey = { ...hosts, apiKey: key }
    await callApi(withKey, '/v1/videos')
    await follow('An API key is known to others', { ID: String(id) })
    const error = await callApi(withKey, '/v1/videos').catch((reason: Error) => reason.message)
    if (!String(error).includes('401')) throw new Error(`a revoked key got: ${String(error)}`)
  },

  async 'An owner cannot sign in'({ follow }) {
    const output = await follow('An owner cannot sign in')
    if (!output.includes('https://dashboard.')) throw new Error(`there is no link:\n${output}`)
  },

  'The master key may be known to others': changeMasterKey,

  async 'The master key is lost'({ installation, hosts, follow }) {
    const key = join(installation.folder, 'secrets/master_key')
    cpSync(key, `${key}.copy`)
    writeFileSync(key, '9'.repeat(64))
    await installation.compose('up', '-d', '--force-recreate', '--no-deps', 'api')
    await waitFor('the refusal of another key', async () =>
      (await installation.compose('logs', '--tail', '20', 'api')).includes('master key'),
    )
    await follow('The master key is lost', { COPY: `${key}.copy` })
    await awaitApi(hosts)
  },

  async 'A worker must be stopped'({ installation, hosts, site, follow }) {
    const { id } = await createVideo(hosts, site.videoUrl)
    await awaitStatus(hosts, id, 'processing')
    await follow('A worker must be stopped')
    const running = await installation.compose('ps', '--quiet', 'worker')
    if (running.trim().split('\n').length !== 1) throw new Error(`running workers:\n${running}`)
    await awaitStatus(hosts, id, 'ready')
  },

  async 'A new major version of PostgreSQL'(drill) {
    const { hosts, follow } = drill
    const before = await counts(drill)
    await follow('A new major version of PostgreSQL')
    await awaitApi(hosts)
    if ((await counts(drill)) !== before) throw new Error(`restored: not ${before}`)
  },

  async 'An upgrade has to be undone'(drill) {
    const { installation, backups, hosts, follow } = drill
    const before = await counts(drill)
    await installation.shell(
      `docker compose run --rm -v ${backups}:/backups api reelgate backup /backups`,
    )
    await installation.shell(
      `docker compose exec postgres psql -U postgres -d reelgate -c "${MIGRATED}"`,
    )
    const refusal = await installation
      .compose('run', '--rm', '--no-deps', 'setup')
      .catch((error: Error) => error.message)
    if (!refusal.includes('newer')) throw new Error(`the older version said:\n${refusal}`)
    await follow('An upgrade has to be undone')
    await awaitApi(hosts)
    if ((await counts(drill)) !== before) throw new Error(`restored: not ${before}`)
  },

  async 'Object storage is lost'({ installation, backups, follow }) {
    await installation.shell(
      `docker compose run --rm -v ${backups}:/backups api reelgate backup /backups`,
    )
    const output = await follow('Object storage is lost')
    if (!/\b[1-9]\d* segments decrypt\./.test(output)) throw new Error(`the drill:\n${output}`)
  },

  async 'The newest backup is too old'({ installation, alerts, follow }) {
    await installation.shell(
      `docker compose exec postgres psql -U postgres -d reelgate -c "${AGED}" -c "${AGED_ACCOUNT}"`,
    )
    await alerts.fire('ReelgateBackupOld')
    await follow('The newest backup is too old')
  },
}

/** As a newer version does. */
const MIGRATED = `insert into mikro_orm_migrations (name) values ('migration-20990101000000-of-a-newer-version')`

/** As after two days without a backup. */
const AGED = `update audit_entry set created_at = now() - interval '2 days' where action = 'installation.backup'`
const AGED_ACCOUNT = `update account set created_at = now() - interval '2 days'`

/** Returns how many videos have which status. */
const counts = ({ installation }: Drill): Promise<string> =>
  installation.shell(
    `docker compose exec postgres psql -U postgres -d reelgate -Atc "select status, count(*) from video group by 1 order by 1"`,
  )
