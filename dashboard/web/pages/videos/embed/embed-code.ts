import { escapeHtml } from '../../../../../domain/html.ts'
import { iframeHtml } from '../../../../../domain/playback/embed-url.ts'

/** The video that some code embeds. */
export interface Embedded {
  id: string
  title: string
  embed_url: string
}

/** The forms of the code that embeds a video. */
export const EMBED_FORMS = ['iframe', 'script', 'react', 'vue'] as const

export type EmbedForm = (typeof EMBED_FORMS)[number]

export const EMBED_FORM_NAMES: Record<EmbedForm, string> = {
  iframe: 'Iframe',
  script: 'Script',
  react: 'React',
  vue: 'Vue',
}

/** Returns the code that embeds a video. */
export const embedSnippet = (form: EmbedForm, video: Embedded): string => SNIPPETS[form](video)

const SNIPPETS: Record<EmbedForm, (video: Embedded) => string> = {
  iframe: ({ embed_url: url, title }) => iframeHtml(url, title),

  // The element of `embed.js`, which a page controls as a `<video>`.
  script: (video) => `<script src="${escapeHtml(scriptOf(video))}" async></script>

<reelgate-video
  src="${escapeHtml(video.embed_url)}"
  title="${escapeHtml(titleOf(video))}"
></reelgate-video>`,

  react: (video) => `import { ReelgateVideo } from '@reelgate/sdk/react'

export const Video = () => (
  <ReelgateVideo
    src={${JSON.stringify(video.embed_url)}}
    script={${JSON.stringify(scriptOf(video))}}
    title={${JSON.stringify(titleOf(video))}}
  />
)`,

  vue: (video) => `<script setup>
import { ReelgateVideo } from '@reelgate/sdk/vue'
</script>

<template>
  <ReelgateVideo
    src="${escapeHtml(video.embed_url)}"
    script="${escapeHtml(scriptOf(video))}"
    title="${escapeHtml(titleOf(video))}"
  />
</template>`,
}

/** The address of `embed.js` on the player host. */
const scriptOf = ({ id, embed_url: url }: Embedded): string =>
  `${url.slice(0, url.lastIndexOf(`/${id}/`))}/embed.js`

const titleOf = ({ title }: Embedded): string => title.trim() || 'Video'
