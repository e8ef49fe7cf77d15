import { statfs } from 'node:fs/promises'

/** Says how much disk a benchmark needs, and throws if `folder` has less. */
export async function requireDisk(folder: string, gigabytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const freeGb = (bavail * bsize) / 1e9
  console.error(
    `  … needs ${gigabytes} GB of disk in ${folder}, which has ${Math.round(freeGb)} GB`,
  )
  if (freeGb < gigabytes)
    throw new Error('the disk has too little space; set TMPDIR to another one')
}
