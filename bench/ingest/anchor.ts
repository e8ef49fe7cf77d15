import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { planLadder } from '../../domain/encoding/ladder.ts'
import { packagerPath } from '../../media/package/packager.ts'

/**
 * The anchor of an ingest: one ffmpeg command that decodes once and encodes the same ladder with the
 * same settings, then one run of the packager. Returns milliseconds.
 */
export async function runAnchor(source: string, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  const startedAt = performance.now()
  const availableResolutions = [240, 360, 480, 720, 1080]
  const rungs = planLadder({ width: 1920, height: 1080, availableResolutions })
  const heads = rungs.map((_, index) => `[s${index}]`).join('')
  const scales = rungs.map(
    ({ width, height }, index) =>
      `[s${index}]scale=${width}:${height}:flags=bicubic,setsar=1[v${index}]`,
  )
  const outputs = rungs.flatMap((rung, index) =>
    [
      ['-map', `[v${index}]`, '-c:v', 'libx264', '-preset', 'veryfast', '-crf', String(rung.crf)],
      ['-maxrate', String(rung.maxrateBps), '-bufsize', String(rung.bufsizeBits)],
      ['-g', '60', '-keyint_min', '60', '-sc_threshold', '0', '-flags', '+cgop'],
      ['-pix_fmt', 'yuv420p', join(folder, `${rung.name}.mp4`)],
    ].flat(),
  )
  const audio = ['-map', '0:a', '-c:a', 'aac', '-ac', '2', '-b:a', '128k', join(folder, 'a.mp4')]
  const graph = [`[0:v]fps=30,split=${rungs.length}${heads}`, ...scales].join(';')
  const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y']
  await execa('ffmpeg', [...quiet, '-i', source, '-filter_complex', graph, ...outputs, ...audio])
  await runPackager(
    folder,
    rungs.map(({ name }) => name),
  )
  return performance.now() - startedAt
}

async function runPackager(folder: string, names: string[]): Promise<void> {
  const stream = (name: string, kind: string): string =>
    [
      `in=${join(folder, `${name}.mp4`)}`,
      `stream=${kind}`,
      `init_segment=${join(folder, name, 'init.mp4')}`,
      `segment_template=${join(folder, name, '$Number$.m4s')}`,
    ].join(',')
  // A fixed key is fine here, because nothing is published.
  const key = 'label=:key_id=00000000000000000000000000000001:key=00000000000000000000000000000002'
  await execa(
    packagerPath(),
    [
      ...names.map((name) => stream(name, 'video')),
      stream('a', 'audio'),
      ['--protection_scheme', 'cenc', '--clear_lead', '0', '--segment_duration', '4'],
      ['--enable_raw_key_encryption', '--keys', key, '--generate_static_live_mpd'],
      ['--mpd_output', join(folder, 'manifest.mpd'), '--quiet'],
    ].flat(),
  )
}
