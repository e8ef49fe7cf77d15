import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Account } from '../../../db/entities/account.ts'
import { ContentKey } from '../../../db/entities/video.ts'
import { parseMasterKeys, unseal } from '../../../security/sealing/sealing.ts'
import {
  contentKeyContext,
  signingSecretContext,
} from '../../../security/sealing/secret-contexts.ts'
import type { ServiceRecord } from './judge.ts'

/** A secret in one of the forms in which it could be written. */
interface Needle {
  name: string
  bytes: Buffer
}

/** Returns where a secret is readable, and plays of deleted videos. */
export async function findLeaked(record: ServiceRecord): Promise<string[]> {
  const { folder } = record.world
  const needles = await secretsOf(record)
  const places = ['logs', 'temporal', 's3-server']
  const lists = await Promise.all(places.map((place) => search(join(folder, place), needles)))
  return [...lists.flat(), ...record.accounts.flatMap(({ leaks }) => leaks)]
}

async function secretsOf({ world, db, accounts }: ServiceRecord): Promise<Needle[]> {
  const masterKeys = parseMasterKeys(world.masterKey)
  const em = db.em.fork()
  const texts = [
    { name: 'the database password', text: new URL(world.databaseUrl).password },
    { name: 'the key of the object storage', text: world.bucket.secretKey },
    ...accounts.map(({ accountId, apiKey }) => ({ name: `API key ${accountId}`, text: apiKey })),
    ...[...world.integrator.secrets].map(([path, text]) => ({ name: `secret of ${path}`, text })),
  ]
  const contentKeys = (await em.find(ContentKey, {})).map(({ videoId, name, sealedKey }) => ({
    name: `content key of ${videoId}`,
    bytes: unseal(masterKeys, sealedKey, contentKeyContext(videoId, name)),
  }))
  const signing = (await em.find(Account, {})).map(({ id, sealedSigningSecret }) => ({
    name: `signing secret of ${id}`,
    bytes: unseal(masterKeys, sealedSigningSecret, signingSecretContext(id)),
  }))
  const masterKey = { name: 'the master key', bytes: Buffer.from(world.masterKey, 'hex') }
  return [
    ...texts.map(({ name, text }) => ({ name, bytes: Buffer.from(text) })),
    ...[masterKey, ...contentKeys, ...signing].flatMap(({ name, bytes }) => [
      { name, bytes },
      ...(['hex', 'base64url'] as const).map((form) => ({
        name: `${name} in ${form}`,
        bytes: Buffer.from(bytes.toString(form)),
      })),
      {
        name: `${name} in base64`,
        bytes: Buffer.from(bytes.toString('base64').replace(/=+$/, '')),
      },
    ]),
  ]
}

async function search(folder: string, needles: Needle[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const found: string[] = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path)
    for (const { name, bytes } of needles)
      if (content.includes(bytes)) found.push(`${name} is readable in ${path}`)
  }
  return found
}
