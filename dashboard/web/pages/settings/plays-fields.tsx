import { Input, NumberInput, SegmentedControl, Text } from '@mantine/core'
import { CONCURRENT_PLAYS_MAX, PLAY_WINNERS } from '../../../../domain/playback/concurrent-plays.ts'
import { Section } from '../../parts/section.tsx'
import classes from './settings.module.css'
import type { SettingsEditing } from './settings-editing.ts'
import { useSettingsWords } from './words.ts'

/** The limit of plays of one viewer at the same time; an empty field means none. */
export function PlaysFields({ form }: { form: SettingsEditing['form'] }) {
  const { fields, plays } = useSettingsWords()
  const { limit, winner } = form.values.concurrent_plays
  return (
    <Section title={plays.title} className={classes.card}>
      <Text size="sm">{plays.text}</Text>
      <NumberInput
        label={fields['concurrent_plays.limit']}
        description={plays.limitHint}
        placeholder={plays.unlimited}
        min={1}
        max={CONCURRENT_PLAYS_MAX}
        allowDecimal={false}
        error={form.errors['concurrent_plays.limit']}
        value={limit ?? ''}
        onChange={(value) =>
          form.setFieldValue('concurrent_plays.limit', typeof value === 'number' ? value : null)
        }
        onBlur={() => form.validateField('concurrent_plays.limit')}
      />
      <Input.Wrapper
        label={fields['concurrent_plays.winner']}
        description={plays.winnerHint}
        labelElement="div"
      >
        <SegmentedControl
          fullWidth
          mt={4}
          disabled={limit === null}
          aria-label={fields['concurrent_plays.winner']}
          value={winner}
          onChange={(value) => form.setFieldValue('concurrent_plays.winner', value)}
          data={PLAY_WINNERS.map((one) => ({ value: one, label: plays[one] }))}
        />
      </Input.Wrapper>
    </Section>
  )
}
