import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execa } from 'execa'

const SECONDS = 8
/** Almost without loss, so that the videos have their own detail and not that of an encoder. */
const SOURCE = ['-an', '-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '6', '-pix_fmt', 'yuv420p']

/** Kinds of picture that encoders find easy or difficult, each made by one filter graph. */
const MADE: Readonly<Record<string, string>> = {
  cartoon: `testsrc2=s=1280x720:r=25:d=${SECONDS},gblur=sigma=0.7`,
  screen: `color=c=white:s=1920x1080:r=25:d=${SECONDS},drawtext=font=Sans:textfile=README.md:fontsize=22:fontcolor=0x202020:x=40:y=40-60*t`,
  dark: `gradients=s=1280x720:r=25:d=${SECONDS}:c0=0x000000:c1=0x303848:x0=0:y0=0:x1=1280:y1=720:speed=0.01:seed=1,format=yuv420p,noise=alls=2:allf=t:all_seed=1`,
  zoom: `mandelbrot=s=960x540:r=25:start_scale=2.5:end_scale=0.4:end_pts=${SECONDS * 25}:maxiter=200,trim=duration=${SECONDS},scale=1280:720,noise=alls=2:allf=t:all_seed=1`,
  slides: `color=c=white:s=1280x720:r=25:d=${SECONDS},drawtext=font=Sans:textfile=README.md:fontsize=30:fontcolor=0x103060:x=60:y=60-600*floor(t/2)`,
  pan: `mandelbrot=s=2560x720:start_scale=0.02:maxiter=400,trim=end_frame=1,loop=loop=-1:size=1,fps=25,trim=duration=${SECONDS},setpts=N/25/TB,crop=1280:720:x=6*n,noise=alls=3:allf=t:all_seed=1`,
  crowd: `life=s=320x180:r=25:mold=10:ratio=0.1:death_color=#405030:life_color=#f0c890:seed=1,trim=duration=${SECONDS},scale=1280:720,gblur=sigma=2`,
}

/** Real videos, if their folder is beside the checkout. */
const REAL: Readonly<Record<string, string>> = {
  animation: 'big-buck-bunny-720p-5s.mp4',
  bikes: 'bikes-640x272-10s.mp4',
}
const REAL_FOLDERS = ['../shared/media', '../../shared/media'].map((path) => resolve(path))

/** The noise of a sensitive camera. */
const GRAIN = 'noise=alls=14:allf=t:all_seed=1'

export interface Video {
  name: string
  path: string
}

/** Makes the videos in a folder. Reports on stderr if the real ones are missing. */
export async function makeVideos(folder: string): Promise<Video[]> {
  const videos: Video[] = []
  const make = async (name: string, ...input: string[]): Promise<void> => {
    const path = join(folder, `${name}.mkv`)
    await execa('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...input, ...SOURCE, path])
    videos.push({ name, path })
  }
  const real = REAL_FOLDERS.find((path) => existsSync(path))
  if (real === undefined) console.error('  … without real videos: ../shared/media is missing')
  else {
    for (const [name, file] of Object.entries(REAL)) await make(name, '-i', join(real, file))
    await make('grain', '-i', join(real, REAL.animation ?? ''), '-vf', GRAIN)
  }
  for (const [name, graph] of Object.entries(MADE)) await make(name, '-f', 'lavfi', '-i', graph)
  return videos
}
