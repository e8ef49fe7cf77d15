import { z } from 'zod'
import { drm, licences, mobileApp } from './sections/drm.ts'
import { bucket, moving } from './sections/moving.ts'
import { record, retention, storage, temporal } from './sections/record.ts'
import { general, player, servers } from './sections/servers.ts'
import { egress, integrations, worker } from './sections/work.ts'
import { variableDocs } from './variable.ts'

/** The variables by subject, in the order of the document. */
export const CONFIG_SECTIONS: Readonly<Record<string, Record<string, z.ZodType>>> = {
  General: general,
  'API, player and dashboard': servers,
  'Embedding and segments': player,
  PostgreSQL: record,
  Temporal: temporal,
  'Object storage': storage,
  Workers: worker,
  'How long records are kept': retention,
  'Outbound requests': egress,
  'Multi-DRM': drm,
  'Licences of Multi-DRM videos': licences,
  'The mobile app': mobileApp,
  'Stripe and the command line': integrations,
  'Moving from other services': moving,
  'Moving from a bucket': bucket,
}

/** The environment variables of all processes. */
export const configSchema = z.object({
  ...general,
  ...servers,
  ...player,
  ...record,
  ...temporal,
  ...storage,
  ...worker,
  ...retention,
  ...egress,
  ...drm,
  ...integrations,
  ...moving,
  ...bucket,
  ...licences,
  ...mobileApp,
})

/** The variables whose value a file may hold, named by `NAME_FILE`. */
export const SECRET_VARIABLES: readonly string[] = Object.entries(configSchema.shape)
  .filter(([, schema]) => variableDocs.get(schema)?.isSecret)
  .map(([variable]) => variable)
