import { readPreference, writePreference } from '../../../preferences.ts'
import { createStore } from '../../../store.ts'

/** How the videos are shown: as large posters, or as rows of a table. */
export type VideosView = 'grid' | 'list'

const view = createStore<VideosView>(readPreference('videosView') === 'list' ? 'list' : 'grid')

export const useVideosView = (): VideosView => view.use()

/** Shows the videos in another way, and keeps that in this browser. */
export function chooseVideosView(chosen: VideosView): void {
  writePreference('videosView', chosen === 'list' ? 'list' : null)
  view.set(chosen)
}
