import { readFile, writeFile } from 'node:fs/promises'
import { boxesOf, inside, Malformed, type Box } from './boxes.ts'

/** Adds ticks to the decoding times of a media segment (`tfdt`), which are not encrypted. Throws `Malformed`. */
export async function delaySegment(path: string, ticks: number): Promise<void> {
  const bytes = await readFile(path)
  for (const box of boxesOf(bytes)) if (box.type === 'moof') delayFragment(box, ticks)
  await writeFile(path, bytes)
}

/** Adds ticks to the decoding time of a fragment, in its own bytes. Throws `Malformed`. */
export function delayFragment(moof: Box, ticks: number): void {
  const tfdt = ['traf', 'tfdt'].reduce<Box | null>(inside, moof)?.body
  if (!tfdt) throw new Malformed('there is no tfdt')
  if (tfdt[0] === 1) tfdt.writeBigUInt64BE(tfdt.readBigUInt64BE(4) + BigInt(ticks), 4)
  else tfdt.writeUInt32BE(tfdt.readUInt32BE(4) + ticks, 4)
}
