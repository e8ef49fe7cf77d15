import { Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './me.module.css'

interface Props {
  title: string
  text: string
  children: ReactNode
}

/** A part of the page: what it is about, and beside it what can be changed. */
export function Section({ title, text, children }: Props) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div>
        <Title order={2} id={id}>
          {title}
        </Title>
        <Text size="sm" c="dimmed" mt={4}>
          {text}
        </Text>
      </div>
      <div className={classes.content}>{children}</div>
    </section>
  )
}
