import { Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { videoQuery } from '../../../api/videos.ts'
import { Section } from '../../../parts/section.tsx'
import { CodeSnippet } from '../../../parts/text/code-snippet.tsx'
import classes from '../videos.module.css'
import { useVideosWords } from '../words.ts'
import {
  elementSnippet,
  iframeSnippet,
  sdkSnippet,
  TOKEN_LANGUAGE_NAMES,
  TOKEN_LANGUAGES,
  tokenSnippet,
} from './snippets.ts'

const route = getRouteApi('/accounts/$account/videos/$video/embed')

/** Code to embed the video, with its own addresses. */
function EmbedTab() {
  const { account, video: id } = route.useParams()
  const { embed: words } = useVideosWords()
  const { data: video } = useQuery(videoQuery(account, id))
  if (!video) return null
  return (
    <div className={classes.embeds}>
      <Section title={words.iframe} hint={words.iframeHint}>
        <CodeSnippet code={iframeSnippet(video)} label={words.iframe} language="html" />
      </Section>
      <Section title={words.element} hint={words.elementHint}>
        <CodeSnippet code={elementSnippet(video)} label={words.element} language="html" />
      </Section>
      <Section title={words.token} hint={words.tokenHint}>
        <TokenCode video={video} />
        <Text size="sm" c="dimmed">
          {words.tokenWarning}
        </Text>
      </Section>
      <Section title={words.sdk} hint={words.sdkHint}>
        <CodeSnippet code={sdkSnippet(video)} label={words.sdk} language="typescript" />
      </Section>
    </div>
  )
}

/** The same in five languages; the chosen one is in the address. */
function TokenCode({ video }: { video: Parameters<typeof tokenSnippet>[1] }) {
  const { embed: words } = useVideosWords()
  const { language } = route.useSearch()
  const navigate = route.useNavigate()
  const chosen = TOKEN_LANGUAGES.find((one) => one === language) ?? TOKEN_LANGUAGES[0]
  const choose = (value: string | null): void =>
    void navigate({
      search: (now) => ({ ...now, language: value ?? undefined }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Tabs value={chosen} onChange={choose} keepMounted={false}>
      <Tabs.List mb="sm">
        {TOKEN_LANGUAGES.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {TOKEN_LANGUAGE_NAMES[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {TOKEN_LANGUAGES.map((one) => (
        <Tabs.Panel key={one} value={one}>
          <CodeSnippet code={tokenSnippet(one, video)} label={words.token} language={one} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

export const embedRoute = createLazyRoute('/accounts/$account/videos/$video/embed')({
  component: EmbedTab,
})
