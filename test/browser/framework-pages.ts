// A page with the same player, for each framework. Each has a button that changes the video, and one that removes it.

/** What the test's page knows: `?src=…&script=…` and where to write what happens. */
const SHARED = `
  const asked = new URLSearchParams(location.search)
  const video = { src: asked.get('src'), script: asked.get('script'), loading: 'eager', muted: true, captions: 'de' }
  const seen = (window.seen = [])
`

export const REACT_PAGE = `
  import { createElement as h, StrictMode, useRef, useState } from 'react'
  import { createRoot } from 'react-dom/client'
  import { ReelgateVideo } from '../../sdk/src/react.ts'
  ${SHARED}
  function Page() {
    const [isShown, setShown] = useState(true)
    const [count, setCount] = useState(0)
    const player = useRef(null)
    return h('main', null,
      h('button', { onClick: () => player.current.play() }, 'Play'),
      h('button', { onClick: () => setShown(false) }, 'Remove'),
      h('output', null, count),
      isShown && h(ReelgateVideo, { ...video, ref: player, onReady: (event) => seen.push('ready ' + event.detail.captions),
        // Of the last rendering: an old handler would count to one.
        onTimeUpdate: () => setCount(count + 1), onPlay: () => seen.push('play') }))
  }
  createRoot(document.getElementById('app')).render(h(StrictMode, null, h(Page)))
`

export const VUE_PAGE = `
  import { createApp, h, ref } from 'vue'
  import { ReelgateVideo } from '../../sdk/src/vue.ts'
  ${SHARED}
  createApp({
    setup() {
      const isShown = ref(true)
      const count = ref(0)
      const player = ref(null)
      return () => h('main', [
        h('button', { onClick: () => player.value.element.play() }, 'Play'),
        h('button', { onClick: () => (isShown.value = false) }, 'Remove'),
        h('output', count.value),
        isShown.value ? h(ReelgateVideo, { ...video, ref: player, onReady: (event) => seen.push('ready ' + event.detail.captions),
          onTimeupdate: () => count.value++, onPlay: () => seen.push('play') }) : null,
      ])
    },
  }).mount('#app')
`
