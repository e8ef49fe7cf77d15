import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  configurationDocument,
  configurationFile,
} from '../scripts/documents/configuration-document.ts'
import { ConfigError, loadConfig, required } from './config.ts'
import { configSchema, SECRET_VARIABLES } from './schema.ts'

describe('the configuration', () => {
  it('has defaults for everything that a first start needs', () => {
    expect(loadConfig({})).toMatchObject({
      API_PORT: 8080,
      PLAYER_PORT: 8081,
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
      EMBED_BASE_URL: 'http://127.0.0.1:8081',
      DASHBOARD_BASE_URL: 'http://localhost:8082',
      hasOwnDatabase: false,
    })
  })

  it('lists every problem with its variable', () => {
    const bad = {
      API_PORT: '99999',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
      WORKER_QUEUES: 'a',
    }
    expect(() => loadConfig(bad)).toThrow(ConfigError)
    try {
      loadConfig(bad)
    } catch (error) {
      for (const name of Object.keys(bad)) expect(String(error)).toContain(name)
    }
  })

  it('says in words of its own what each variable needs, without the value', () => {
    const bad = {
      MASTER_KEY: 'very_secret',
      API_PORT: '99999',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'very_secret',
      WORKER_QUEUES: 'a',
      METRICS_ADDRESS: 'here',
    }
    expect(() => loadConfig(bad)).toThrow(
      new ConfigError(`The configuration is not usable:
MASTER_KEY: needs another value: \`<hex>\` or \`<version>:<hex>,…\`
LOG_LEVEL: needs another value: \`trace\`, \`debug\`, \`info\`, \`warn\`, \`error\`, \`silent\`
METRICS_ADDRESS: needs another value: \`host:port\`
API_PORT: needs another value: 1 to 65535
DATABASE_URL: needs another value: \`postgres://\` address
WORKER_QUEUES: needs another value: \`ingest\`, \`download\`, \`encode\`, \`webhooks\`, separated by commas`),
    )
  })

  it('rejects a Stripe API key as the webhook secret without repeating it', () => {
    const load = () => loadConfig({ STRIPE_WEBHOOK_SECRET: 'sk_live_very_secret' })
    expect(load).toThrow('STRIPE_WEBHOOK_SECRET: the signing secret of the Stripe endpoint')
    expect(load).not.toThrow('very_secret')
  })

  it('rejects headers of the collector of traces without repeating them', () => {
    const load = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
      loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/', OTEL_EXPORTER_OTLP_HEADERS })
    expect(load('authorization=Basic%20a%3D, x-team=v=1').tracing).toEqual({
      endpoint: 'https://c.example',
      headers: { authorization: 'Basic a=', 'x-team': 'v=1' },
      ratio: 1,
    })
    for (const bad of ['very_secret', 'key:very_secret', 'key=very_secret%', 'k=very_secret%0A']) {
      expect(() => load(bad)).toThrow('OTEL_EXPORTER_OTLP_HEADERS: headers as name=value')
      expect(() => load(bad)).not.toThrow('very_secret')
    }
    expect(loadConfig({}).tracing).toBeNull()
  })

  it('authenticates at the key server with the header if there is one, or as DRM_SPEKE_AUTH says', () => {
    const DRM_SPEKE_URL = 'https://keys.example/speke'
    const load = (env: Record<string, string>) => loadConfig({ DRM_SPEKE_URL, ...env }).speke
    expect(loadConfig({}).speke).toBeNull()
    expect(load({})?.authentication).toEqual({ kind: 'none' })
    const header = { DRM_SPEKE_AUTHORIZATION: 'Bearer t' }
    expect(load(header)?.authentication).toEqual({ kind: 'header', value: 'Bearer t' })
    const user = { DRM_SPEKE_AUTH: 'digest', DRM_SPEKE_USERNAME: 'u', DRM_SPEKE_PASSWORD: 'p' }
    const digest = { kind: 'digest', username: 'u', password: 'p' }
    expect(load(user)?.authentication).toEqual(digest)
    expect(() => load({ DRM_SPEKE_AUTH: 'basic', DRM_SPEKE_USERNAME: 'u' })).toThrow(
      'DRM_SPEKE_PASSWORD: is needed',
    )
    expect(() => load({ DRM_SPEKE_AUTH: 'sigv4' })).toThrow('DRM_SPEKE_AWS_REGION: is needed')
    expect(() => load({ DRM_SPEKE_CERTIFICATE_FILE: 'a.pem' })).toThrow(
      'DRM_SPEKE_PRIVATE_KEY_FILE: is needed',
    )
  })

  it('has a DRM provider with a source of keys and with licence servers, not with one of them', () => {
    const keys = { DRM_SPEKE_URL: 'https://keys.example/' }
    const ownKeys = { DRM_KEY_MODEL: 'own' }
    const licences = { DRM_LICENCE_PROVIDER: 'axinom' }
    for (const env of [{}, keys, ownKeys, licences])
      expect(loadConfig(env).hasDrmProvider).toBe(false)
    for (const source of [keys, ownKeys])
      expect(loadConfig({ ...source, ...licences }).hasDrmProvider).toBe(true)
  })

  it('requires a separate host name without a path for Direct Play', () => {
    const load = (DIRECT_PLAY_BASE: string) =>
      loadConfig({ EMBED_BASE_URL: 'https://play.example', DIRECT_PLAY_BASE }).DIRECT_PLAY_BASE
    expect(load('https://watch.example/')).toBe('https://watch.example')
    expect(() => load('https://play.example:8443')).toThrow('DIRECT_PLAY_BASE: needs another host')
    expect(() => load('https://watch.example/x')).toThrow('DIRECT_PLAY_BASE: an address without')
    expect(() => load('not an address')).toThrow('DIRECT_PLAY_BASE')
  })

  it('takes hosts as IPv6 addresses, with and without brackets, and refuses what is no host', () => {
    const config = loadConfig({ API_HOST: '::1', PLAYER_HOST: '[2001:db8::2]' })
    expect(config).toMatchObject({
      API_HOST: '::1',
      API_BASE_URL: 'http://[::1]:8080',
      PLAYER_HOST: '2001:db8::2',
      EMBED_BASE_URL: 'http://[2001:db8::2]:8081',
    })
    for (const DASHBOARD_HOST of ['http://a.example', 'a b', 'a.example:80'])
      expect(() => loadConfig({ DASHBOARD_HOST })).toThrow(
        'DASHBOARD_HOST: needs another value: IP address or host name',
      )
  })

  it('requires an address without a path for the dashboard', () => {
    const load = (DASHBOARD_BASE_URL: string) =>
      loadConfig({ DASHBOARD_BASE_URL }).DASHBOARD_BASE_URL
    expect(load('https://dashboard.example/')).toBe('https://dashboard.example')
    expect(() => load('https://site.example/dashboard')).toThrow('an address without a path')
    expect(loadConfig({ DASHBOARD_PORT: '9000' }).DASHBOARD_BASE_URL).toBe('http://localhost:9000')
  })

  it('knows the Web UI of the embedded Temporal, and of another one only by its setting', () => {
    const load = (env: Record<string, string>) => loadConfig(env).temporalUiBase
    expect(load({ TEMPORAL_UI_PORT: '9000' })).toBe('http://127.0.0.1:9000')
    expect(load({ TEMPORAL_ADDRESS: 'temporal:7233' })).toBeNull()
    expect(load({ TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_UI_BASE_URL: '' })).toBeNull()
    expect(load({ TEMPORAL_UI_BASE_URL: 'https://t.example/ui/' })).toBe('https://t.example/ui')
    expect(() => load({ TEMPORAL_UI_BASE_URL: 'javascript:alert(1)' })).toThrow('TEMPORAL_UI')
  })

  it('adds the host of the dashboard to those that may always embed', () => {
    const { serviceDomains } = loadConfig({
      SERVICE_DOMAINS: '*.a.example',
      DASHBOARD_BASE_URL: 'https://dashboard.example:8443',
    })
    expect(serviceDomains).toEqual(['*.a.example', 'dashboard.example'])
    expect(loadConfig({}).serviceDomains).toEqual(['localhost'])
  })

  it('accepts only an https link to the Android app', () => {
    const load = (link: string) => loadConfig({ APP_LINK_ANDROID: link }).APP_LINK_ANDROID
    const link = 'https://play.google.com/store/apps/details?id=com.example&hl=de'
    expect(load(link)).toBe(link)
    expect(load('')).toBeUndefined()
    for (const bad of ['http://x.example/', 'javascript:alert(1)', 'market://details?id=a'])
      expect(() => load(bad)).toThrow('APP_LINK_ANDROID')
  })

  it('treats an empty variable as unset', () => {
    expect(loadConfig({ API_PORT: '' }).API_PORT).toBe(8080)
  })

  it('splits lists and removes the trailing slash of a base URL', () => {
    const config = loadConfig({
      EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8, ::1/128,',
      EMBED_BASE_URL: 'https://play.example/',
    })
    expect(config.EGRESS_ALLOWED_NETWORKS).toEqual(['127.0.0.0/8', '::1/128'])
    expect(config.MEDIA_BASE_URL).toBe('https://play.example')
  })

  it('redirects segments only if the objects are in S3', () => {
    expect(loadConfig({}).redirectOrigin).toBeNull()
    expect(() => loadConfig({ MEDIA_DELIVERY: 'redirect' })).toThrow('S3_ENDPOINT')
    const s3 = { S3_ENDPOINT: 'http://minio:9000', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' }
    const inside = loadConfig({ ...s3, MEDIA_DELIVERY: 'redirect' })
    expect(inside.redirectOrigin).toBe('http://minio:9000')
    const S3_PUBLIC_ENDPOINT = 'https://objects.example/'
    const outside = loadConfig({ ...s3, MEDIA_DELIVERY: 'redirect', S3_PUBLIC_ENDPOINT })
    expect(outside.redirectOrigin).toBe('https://objects.example')
    expect(outside.storage).toMatchObject({ publicEndpoint: 'https://objects.example' })
    expect(loadConfig({ ...s3, S3_PUBLIC_ENDPOINT }).redirectOrigin).toBeNull()
  })

  it('sends CMCD only to a CDN', () => {
    expect(loadConfig({}).MEDIA_CMCD).toBe('off')
    expect(() => loadConfig({ MEDIA_CMCD: 'on' })).toThrow('MEDIA_BASE_URL')
    const cdn = { MEDIA_BASE_URL: 'https://cdn.example', MEDIA_CMCD: 'on' }
    expect(loadConfig(cdn).MEDIA_CMCD).toBe('on')
  })

  it('names a missing variable that a process needs', () => {
    expect(() => required(undefined, 'MASTER_KEY')).toThrow('MASTER_KEY')
    expect(required('x', 'MASTER_KEY')).toBe('x')
  })
})

describe('secrets in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgate-secrets-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const fileWith = (content: string): string => {
    const path = join(folder, 'secret')
    writeFileSync(path, content)
    return path
  }

  it('every secret can come from the file that NAME_FILE names, without the line break at its end', () => {
    expect(SECRET_VARIABLES.length).toBeGreaterThan(15)
    for (const name of SECRET_VARIABLES) {
      const value = VALUES[name] ?? ` ${'5a'.repeat(32)}\nwith a second line `
      for (const end of ['', '\n', '\r\n']) {
        const config: Record<string, unknown> = loadConfig({
          ...NEEDED[name],
          [`${name}_FILE`]: fileWith(value + end),
        })
        expect(config[name]).toBe(value)
      }
    }
  })

  const VALUES: Record<string, string> = {
    DATABASE_URL: 'postgres://reelgate@db/reelgate',
    DATABASE_DIRECT_URL: 'postgres://reelgate@postgres/reelgate',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20key',
  }
  const NEEDED: Record<string, Record<string, string>> = {
    DATABASE_DIRECT_URL: { DATABASE_URL: 'postgres://reelgate@pooler/reelgate' },
  }

  it('are unset if the file is empty', () => {
    expect(loadConfig({ S3_SECRET_KEY_FILE: fileWith('\n') }).S3_SECRET_KEY).toBeUndefined()
  })

  it('are refused beside the variable itself, without repeating either', () => {
    const load = () => loadConfig({ MASTER_KEY: 'first', MASTER_KEY_FILE: fileWith('second') })
    expect(load).toThrow('MASTER_KEY: MASTER_KEY_FILE is set too')
    expect(load).not.toThrow(/first|second/)
  })

  it('are one line of the error if their file cannot be read', () => {
    const path = join(folder, 'missing')
    const load = () => loadConfig({ MASTER_KEY_FILE: path, S3_SECRET_KEY_FILE: folder })
    expect(load).toThrow(
      `MASTER_KEY_FILE: ${path} cannot be read (ENOENT)\nS3_SECRET_KEY_FILE: ${folder} cannot be read (EISDIR)`,
    )
  })

  it('complete DATABASE_URL with a password of any characters', () => {
    const DATABASE_URL = 'postgres://reelgate@db:5432/reelgate?sslmode=require'
    const password = 'p/a:s@s%w?#ö'
    const DATABASE_PASSWORD_FILE = fileWith(`${password}\n`)
    const url = new URL(loadConfig({ DATABASE_URL, DATABASE_PASSWORD_FILE }).DATABASE_URL ?? '')
    expect(decodeURIComponent(url.password)).toBe(password)
    expect(url.href.replace(`:${url.password}`, '')).toBe(DATABASE_URL)
    const { DATABASE_DIRECT_URL, databasePooler } = loadConfig({
      DATABASE_URL,
      DATABASE_DIRECT_URL: 'postgres://reelgate@postgres/reelgate',
      DATABASE_PASSWORD_FILE,
    })
    expect(DATABASE_DIRECT_URL).toBe(
      url.href.replace('db:5432', 'postgres').replace(url.search, ''),
    )
    expect(databasePooler).toEqual({ keepsStatements: false })
    expect(() => loadConfig({ DATABASE_DIRECT_URL })).toThrow('DATABASE_DIRECT_URL: is only for')
    const both = { DATABASE_URL: 'postgres://reelgate:x@db/reelgate', DATABASE_PASSWORD: 'y' }
    expect(() => loadConfig(both)).toThrow('DATABASE_PASSWORD: DATABASE_URL has a password too')
  })
})

describe('the documents of the configuration', () => {
  it('are generated: npm run configuration writes docs/configuration.md', () => {
    expect(readFileSync(configurationFile, 'utf8')).toBe(configurationDocument())
  })

  const example = Object.fromEntries(
    [...readText('.env.example').matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  )

  it('.env.example has every variable that docker-compose.yml uses, and no other', () => {
    const used = readText('docker-compose.yml').matchAll(/\$\{([A-Z0-9_]+)/g)
    expect(new Set(Object.keys(example))).toEqual(new Set([...used].map(([, name]) => name)))
  })

  it('.env.example repeats the defaults of the configuration', () => {
    const defaults: Record<string, unknown> = configSchema.parse({})
    for (const [name, value] of Object.entries(example))
      if (value !== '' && name in configSchema.shape) expect(value).toBe(String(defaults[name]))
  })
})

function readText(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
}
