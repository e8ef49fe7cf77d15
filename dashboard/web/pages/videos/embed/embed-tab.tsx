import { SegmentedControl, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { videoQuery, type Video } from '../../../api/videos.ts'
import { Section } from '../../../parts/section.tsx'
import { CodeSnippet } from '../../../parts/text/code-snippet.tsx'
import { useVideosWords } from '../words.ts'
import { EMBED_FORM_NAMES, EMBED_FORMS, embedSnippet, type EmbedForm } from './embed-code.ts'
import { EmbedSites } from './embed-sites.tsx'
import classes from './embed.module.css'
import { sdkSnippet, TOKEN_LANGUAGE_NAMES, TOKEN_LANGUAGES, tokenSnippet } from './token-code.ts'

const route = getRouteApi('/accounts/$account/videos/$video/embed')

/** Code to embed the video with its own addresses, where it may play, and code for tokens. */
function EmbedTab() {
  const { account, video: id } = route.useParams()
  const { embed: words } = useVideosWords()
  const { data: video } = useQuery(videoQuery(account, id))
  if (!video) return null
  return (
    <div className={classes.embeds}>
      <EmbedCode video={video} />
      <EmbedSites account={account} />
      <Section title={words.token} hint={words.tokenHint} id="token">
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

/** The code in the chosen form, which is in the address. */
function EmbedCode({ video }: { video: Video }) {
  const { embed: words } = useVideosWords()
  const { form } = route.useSearch()
  const navigate = route.useNavigate()
  const chosen = formOf(form)
  const choose = (value: string): void =>
    void navigate({
      search: (now) => ({ ...now, form: value }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Section title={words.code} hint={`${words.hints[chosen]} ${words.sizes}`}>
      <SegmentedControl
        className={classes.forms}
        aria-label={words.form}
        value={chosen}
        data={EMBED_FORMS.map((one) => ({ value: one, label: EMBED_FORM_NAMES[one] }))}
        onChange={choose}
      />
      <CodeSnippet
        code={embedSnippet(chosen, video)}
        label={EMBED_FORM_NAMES[chosen]}
        language={chosen === 'react' ? 'typescript' : 'html'}
      />
    </Section>
  )
}

const formOf = (text: string | undefined): EmbedForm =>
  EMBED_FORMS.find((one) => one === text) ?? EMBED_FORMS[0]

/** The same in five languages; the chosen one is in the address. */
function TokenCode({ video }: { video: Video }) {
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
