import { NativeSelect, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { LANGUAGES, type Language } from '../../../domain/language.ts'
import { useLocale } from '../locales/words.tsx'
import { Choice } from '../parts/forms/choice.tsx'
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
  const { words, language, choose } = useLocale()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { zone, choose: chooseZone } = useTimeZone()
  const { light, dark, system, appearance, timeZone } = words.account
  const schemes: Record<MantineColorScheme, string> = { light, dark, auto: system }
  return (
    <>
      <Choice
        label={appearance}
        value={colorScheme}
        options={SCHEMES.map((scheme) => [scheme, schemes[scheme]])}
        onChoose={(scheme = 'auto') => setColorScheme(scheme)}
      />
      <Choice
        label={words.language}
        value={language}
        options={LANGUAGES.map((one) => [one, NAMES[one]])}
        onChoose={(one = LANGUAGES[0]) => void choose(one)}
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
