import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { endPreview } from './preview.ts'
import { storyboardQuery, type Tile } from './storyboard.ts'

const SHOWN_MS = 450
const TILES_MAX = 12

interface Props {
  account: string
  id: string
  className: string | undefined
}

/** Shows what happens in a video, once through its storyboard. It stays empty until that is loaded, and for a video without one. */
export function StoryboardPreview({ account, id, className }: Props) {
  const { data } = useQuery(storyboardQuery(account, id))
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (!data) return
    const tiles = someOf(data.tiles)
    let at = 0
    const drawNext = (): void => {
      const tile = tiles[at]
      if (!tile) return endPreview(id)
      draw(canvas.current, data.picture, tile)
      at += 1
    }
    drawNext()
    const timer = setInterval(drawNext, SHOWN_MS)
    return () => clearInterval(timer)
  }, [data, id])
  return <canvas ref={canvas} className={className} data-drawn={data != null} />
}

/** At most twelve, from the whole length of the video. */
const someOf = (tiles: readonly Tile[]): Tile[] => {
  const step = Math.max(1, tiles.length / TILES_MAX)
  return tiles.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

function draw(canvas: HTMLCanvasElement | null, picture: HTMLImageElement, tile: Tile): void {
  if (!canvas) return
  const { x, y, width, height } = tile
  Object.assign(canvas, { width, height })
  canvas.getContext('2d')?.drawImage(picture, x, y, width, height, 0, 0, width, height)
}
