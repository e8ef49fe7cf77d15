/** What the server put into the page (player/server/pages/player-page.ts). */
export interface PlayerData {
  session: string
  sessionHeader: string
  manifestUrl: string
  licenceUrl: string
  heartbeatUrl: string
  shakaUrl: string
  renditions: number
  isComplete: boolean
  watermark: { text: string; opacity: number; size: 'small' | 'medium' | 'large' } | null
  colors: { accent: string; background: string; text: string }
}

/** Reads the page's data, and takes it out of the page. */
export function takePlayerData(): PlayerData {
  const element = document.querySelector('#player-data')
  const data = JSON.parse(element?.textContent ?? '{}') as PlayerData
  element?.remove()
  return data
}
