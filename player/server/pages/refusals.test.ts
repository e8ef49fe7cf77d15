import { describe, expect, it } from 'vitest'
import { directionOf, LANGUAGES } from '../../../domain/language.ts'
import type { AppOnlyRefusal } from '../../../domain/playback/browser-class.ts'
import type { EmbedDecision } from '../../../domain/playback/embed-access.ts'
import { textsOf } from './choose-texts.ts'
import { messagePage } from './message-page.ts'
import { qrCode } from './qr-code.ts'
import {
  broken,
  directPlayNotFound,
  malformed,
  notFound,
  refusalPage,
  tooMany,
  type Page,
} from './refusals.ts'
import type { PageTexts } from './texts/page-texts.ts'

const HOST = 'www.site.example'
const DECISIONS: Exclude<EmbedDecision, { kind: 'play' | 'wait' }>[] = [
  { kind: 'failed' },
  { kind: 'outdated' },
  { kind: 'refused', reason: 'no_referrer' },
  { kind: 'refused', reason: 'domain_blocked', host: HOST },
  { kind: 'refused', reason: 'domain_not_allowed', host: HOST },
  { kind: 'token_required', reason: 'missing' },
  { kind: 'token_required', reason: 'expired' },
  { kind: 'token_required', reason: 'forged' },
  { kind: 'token_required', reason: 'exp_in_milliseconds' },
  { kind: 'token_required', reason: 'revoked' },
  { kind: 'app_only', verdict: 'open_app' },
  { kind: 'app_only', verdict: 'open_edge' },
  { kind: 'app_only', verdict: 'open_safari' },
  { kind: 'app_only', verdict: 'guidance' },
  { kind: 'app_only', verdict: 'no_hardware' },
]
const links = {
  deepLink: 'service://play/v/MQ==/a.b',
  appStore: 'https://store.example/?a=1&b="2"',
}

const everyPage = (texts: PageTexts): Page[] => [
  malformed(texts),
  notFound(texts),
  directPlayNotFound(texts),
  broken(texts),
  tooMany(texts),
  ...DECISIONS.map((decision) => refusalPage(decision, texts, links)),
]

/** Code that is the same in every language. */
const codeOf = ({ text, advice }: Page): string[] =>
  [...`${text} ${advice?.text ?? ''}`.matchAll(/`([^`]*)`/g)].map(([, code = '']) => code).sort()

const render = (page: Page, language: (typeof LANGUAGES)[number] = 'en'): string => {
  const texts = textsOf(language)
  const urls = { styleUrl: '/s.css', scriptUrl: '/s.js' }
  return messagePage(page, {
    language,
    texts,
    reportCode: 'K7M3-Q9T2-XB4R',
    requestId: 'req_1',
    ...urls,
  })
}

const english = everyPage(textsOf('en'))

it('each page names its reason in one word for support, next to the request', () => {
  for (const page of english) {
    expect(page.code).toMatch(/^[a-z_]+$/)
    expect(render(page)).toContain(`<p class="request"><bdi>${page.code}</bdi> · Request req_1</p>`)
  }
})

describe.each(LANGUAGES)('the pages in %s', (language) => {
  const pages = everyPage(textsOf(language))

  it('all have a title, a text and the same code as the English ones', () => {
    for (const [index, page] of pages.entries()) {
      expect(page.title).toMatch(/\p{L}/u)
      expect(page.text).toMatch(/\p{L}/u)
      expect(codeOf(page)).toEqual(codeOf(english[index] as Page))
      expect(page.advice?.snippet).toBe(english[index]?.advice?.snippet)
      expect(`${page.text}${page.advice?.text ?? ''}`.split('`').length % 2).toBe(1)
    }
  })

  it('declare their language and direction, and run no script but that of the host', () => {
    for (const page of pages) {
      const html = render(page, language)
      expect(html).toContain(`<html lang="${language}" dir="${directionOf(language)}">`)
      expect(html.replace('<script type="module" src="/s.js"></script>', '')).not.toMatch(
        /<script|\son\w+=|style=|javascript:/i,
      )
    }
  })

  it('have the code of their report, which is read from left to right', () => {
    for (const page of pages)
      expect(render(page, language)).toMatch(
        /<p class="report">\p{L}+ <bdi dir="ltr">K7M3-Q9T2-XB4R<\/bdi><\/p>/u,
      )
  })

  if (language !== 'en')
    it('are translated', () => {
      for (const [index, page] of pages.entries()) {
        expect(page.title).not.toBe(english[index]?.title)
        expect(page.text).not.toBe(english[index]?.text)
        if (page.advice) expect(page.advice.text).not.toBe(english[index]?.advice?.text)
      }
    })
})

describe('the advice for the owner of the site', () => {
  const pageFor = (decision: (typeof DECISIONS)[number]) =>
    refusalPage(decision, textsOf('en'), links)

  it('is the attribute to set if the Referer was missing', () => {
    const html = render(pageFor({ kind: 'refused', reason: 'no_referrer' }))
    expect(html).toContain('<code dir="ltr">Referer</code>')
    expect(html).toContain(
      '<pre dir="ltr"><code>referrerpolicy=&quot;strict-origin-when-cross-origin&quot;</code></pre>',
    )
  })

  it('is the refused domain and the exact entry to add', () => {
    const html = render(pageFor({ kind: 'refused', reason: 'domain_not_allowed', host: HOST }))
    expect(html).toContain(`has not allowed <code dir="ltr">${HOST}</code>`)
    expect(html).toContain(`<pre dir="ltr"><code>${HOST}</code></pre>`)
  })
})

describe('the links of the App-Only pages', () => {
  const html = (verdict: AppOnlyRefusal, appStore: string | null) =>
    render(refusalPage({ kind: 'app_only', verdict }, textsOf('en'), { ...links, appStore }))
  const DEEP = 'href="service://play/v/MQ==/a.b"'
  const STORE = 'href="https://store.example/?a=1&amp;b=&quot;2&quot;"'

  it.each(['open_app', 'guidance'] as const)('%s has the app and its store page', (verdict) => {
    expect(html(verdict, links.appStore)).toContain(DEEP)
    expect(html(verdict, links.appStore)).toContain(STORE)
  })

  it.each(['open_app', 'guidance'] as const)(
    '%s has no store page if none is configured',
    (verdict) => {
      expect(html(verdict, null)).toContain(DEEP)
      expect(html(verdict, null)).not.toContain('Android app</a>')
    },
  )

  it.each(['open_app', 'guidance'] as const)(
    '%s then refers to the owner of the site',
    (verdict) => {
      expect(html(verdict, null)).toContain('Ask the owner of this site where to get it.')
      expect(html(verdict, links.appStore)).not.toContain('Ask the owner')
    },
  )

  it('guidance has a QR code of the store page, without the token', () => {
    const [code] = /<svg class="qr".*<\/svg>/.exec(html('guidance', links.appStore)) ?? []
    expect(code).toBe(qrCode(links.appStore))
    for (const page of [html('guidance', null), html('open_app', links.appStore)])
      expect(page).not.toContain('class="qr"')
  })

  it('no_hardware has the store page, with its QR code: the app is for another device', () => {
    const page = html('no_hardware', links.appStore)
    expect(page).toContain(STORE)
    expect(page).toContain('<svg')
    expect(page).not.toContain('service:')
    expect(html('no_hardware', null)).toContain(textsOf('en').askForApp)
  })

  it('open_edge has neither', () =>
    expect(html('open_edge', links.appStore)).not.toContain('href="s'))
})

describe('untrusted text', () => {
  it('is escaped', () => {
    const page: Page = {
      status: 403,
      code: 'failed',
      sign: 'lock',
      title: '<b>"',
      text: 'a `<i>` b',
      advice: { text: '</p>', snippet: '<x>' },
    }
    const html = render(page)
    for (const tag of ['<b>', '<i>', '<x>', '</p></p>']) expect(html).not.toContain(tag)
    expect(html).toContain('<code dir="ltr">&lt;i&gt;</code>')
  })
})
