import type { PlayerData } from '../player-data.ts'

/** Reads the page's data, and takes it out of the page. */
export function takePlayerData(): PlayerData {
  const element = document.querySelector('#player-data')
  const data = JSON.parse(element?.textContent ?? '{}') as PlayerData
  element?.remove()
  return data
}
