import { NativeSelect, useMantineColorScheme } from '@mantine/core'
import type { MantineColorScheme } from '@mantine/core'
import { LANGUAGES, languageOf } from '../../../domain/language.ts'
import type { Language } from '../../../domain/language.ts'
import { useSpeech } from '../words/words.tsx'
import { timeZones, useTimeZone } from './time-zone.tsx'

/** Each in its own language. */
const NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  ar: 'العربية',
}

const SCHEMES: readonly MantineColorScheme[] = ['light', 'dark', 'auto']

/** Colour scheme, language and time zone of the dashboard in this browser. */
export function Appearance() {
  const { words, language, choose } = useSpeech()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { zone, choose: chooseZone } = useTimeZone()
  const { light, dark, system, appearance, timeZone } = words.account
  const schemes: Record<MantineColorScheme, string> = { light, dark, auto: system }
  return (
    <>
      <NativeSelect
        label={appearance}
        value={colorScheme}
        onChange={({ currentTarget }) =>
          setColorScheme(SCHEMES.find((scheme) => scheme === currentTarget.value) ?? 'auto')
        }
        data={SCHEMES.map((value) => ({ value, label: schemes[value] }))}
      />
      <NativeSelect
        label={words.language}
        value={language}
        onChange={({ currentTarget }) =>
          void choose(languageOf(currentTarget.value) ?? LANGUAGES[0])
        }
        data={LANGUAGES.map((value) => ({ value, label: NAMES[value] }))}
      />
      <NativeSelect
        label={timeZone}
        value={zone}
        onChange={({ currentTarget }) => chooseZone(currentTarget.value)}
        data={timeZones()}
      />
    </>
  )
}
