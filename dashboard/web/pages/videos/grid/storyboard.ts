import { queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap } from '../../../api/client.ts'

/** A part of the picture of a storyboard, in its pixels. */
export interface Tile {
  x: number
  y: number
  width: number
  height: number
}

interface Storyboard {
  picture: HTMLImageElement
  tiles: Tile[]
}

const TILE = /#xywh=(\d+),(\d+),(\d+),(\d+)$/gm

/** The small pictures of a video in their order, or null if it has none. They stay loaded while the page is open. */
export const storyboardQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: ['storyboard', account, id],
    queryFn: async ({ signal }): Promise<Storyboard | null> => {
      const params = { path: { id } }
      const call = apiOf(account).GET('/videos/{id}/storyboard', { params, signal })
      const { image_url: imageUrl, index_url: indexUrl } = await unwrap(call)
      if (imageUrl === null || indexUrl === null) return null
      const picture = new Image()
      picture.src = imageUrl
      const [index] = await Promise.all([textOf(indexUrl, signal), picture.decode()])
      return { picture, tiles: tilesOf(index) }
    },
    staleTime: Infinity,
    retry: false,
  })

async function textOf(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`the index of a storyboard was refused: ${response.status}`)
  return response.text()
}

/** The tiles of a WebVTT index. */
const tilesOf = (index: string): Tile[] =>
  [...index.matchAll(TILE)].map((match) => {
    const [x = 0, y = 0, width = 0, height = 0] = match.slice(1).map(Number)
    return { x, y, width, height }
  })
