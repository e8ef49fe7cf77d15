import type { Config } from '../../../config/config.ts'
import { neededVariable } from '../needed-variable.ts'
import { bunny, BUNNY_API, BUNNY_GAP_MS, bunnyHeaders, bunnyPath } from './bunny.ts'
import {
  cloudflare,
  CLOUDFLARE_API,
  CLOUDFLARE_GAP_MS,
  cloudflareHeaders,
  cloudflarePath,
} from './cloudflare.ts'
import { mux, MUX_API, MUX_GAP_MS, muxHeaders } from './mux.ts'
import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from './service-client.ts'
import type { Service } from './service.ts'
import { vimeo, VIMEO_API, vimeoHeaders } from './vimeo.ts'

/** What is the same for every service. */
export interface ServiceAccess extends Pick<ServiceClientOptions, 'signal' | 'onWait' | 'wait'> {
  /** Instead of the address of the service. */
  api?: URL | undefined
  /** Whether the service is asked to make the files that it offers for download. */
  prepare: boolean
}

/** The variables that services need. */
const VARIABLES = {
  vimeo: ['VIMEO_ACCESS_TOKEN'],
  mux: ['MUX_TOKEN_ID', 'MUX_TOKEN_SECRET'],
  bunny: ['BUNNY_API_KEY', 'BUNNY_LIBRARY_ID', 'BUNNY_PULL_ZONE'],
  cloudflare: ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID'],
} as const satisfies Record<Service['name'], readonly (keyof Config)[]>

export const variablesOf = (name: Service['name']): readonly string[] => VARIABLES[name]

/** Opens an account by the variables of the environment. Throws a CliError if one is missing; it never repeats a value. */
export function openService(name: Service['name'], config: Config, access: ServiceAccess): Service {
  const [first = '', second = '', third = ''] = VARIABLES[name].map((variable) =>
    neededVariable(variable, config[variable]),
  )
  switch (name) {
    case 'vimeo':
      return vimeo(
        clientOf(access, {
          title: 'Vimeo',
          address: VIMEO_API,
          headers: vimeoHeaders(first),
          // It says how many requests are left.
          gapMs: 0,
          remedy: 'VIMEO_ACCESS_TOKEN may have ended, or lacks public, private or video_files.',
        }),
      )
    case 'mux':
      return mux(
        clientOf(access, {
          title: 'Mux',
          address: MUX_API,
          headers: muxHeaders(first, second),
          gapMs: MUX_GAP_MS,
          remedy:
            'MUX_TOKEN_ID and MUX_TOKEN_SECRET need to read videos; for --prepare, also to write.',
        }),
        access,
      )
    case 'bunny':
      return bunny(
        clientOf(access, {
          title: 'Bunny Stream',
          address: BUNNY_API,
          path: bunnyPath(second),
          headers: bunnyHeaders(first),
          gapMs: BUNNY_GAP_MS,
          remedy:
            'BUNNY_API_KEY must be the key of the library in BUNNY_LIBRARY_ID, not of the account.',
        }),
        { libraryId: second, pullZone: third, tokenKey: config.BUNNY_TOKEN_KEY ?? null },
      )
    case 'cloudflare':
      return cloudflare(
        clientOf(access, {
          title: 'Cloudflare Stream',
          address: CLOUDFLARE_API,
          path: cloudflarePath(second),
          headers: cloudflareHeaders(first),
          gapMs: CLOUDFLARE_GAP_MS,
          remedy:
            'CLOUDFLARE_API_TOKEN needs Stream Read for the account in CLOUDFLARE_ACCOUNT_ID; for --prepare and signed videos, Stream Write.',
        }),
        access,
      )
  }
}

interface ServiceFacts extends Pick<
  ServiceClientOptions,
  'title' | 'headers' | 'gapMs' | 'remedy'
> {
  address: string
  /** Of the account, below the address. */
  path?: string
}

function clientOf(
  { api, prepare: _prepare, ...access }: ServiceAccess,
  { address, path = '', ...facts }: ServiceFacts,
): ServiceClient {
  const base = (api?.href ?? address).replace(/\/+$/, '')
  return createServiceClient({ ...facts, ...access, api: new URL(base + path) })
}
