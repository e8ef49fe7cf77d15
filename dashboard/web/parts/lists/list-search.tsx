import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { SearchCursors } from '../../api/search-cursors.ts'
import { SearchField } from '../forms/search-field.tsx'
import classes from '../parts.module.css'

interface Props {
  label: string
  /** Absent while the first page loads. */
  page: { has_more: boolean } | undefined
  /** The search and the cursors in the address of this page. */
  cursors: SearchCursors
}

/** A search of a list that may be too short for one: it appears with the second page, and stays. */
export function ListSearch({ label, page, cursors: { q, after, before } }: Props) {
  const navigate = useNavigate()
  const [isShown, setShown] = useState(false)
  const isLong = page?.has_more === true || after !== undefined || before !== undefined
  if ((isLong || q !== undefined) && !isShown) setShown(true)
  const search = useCallback(
    (text: string | undefined): void => {
      const change = { q: text?.trim() || undefined, after: undefined, before: undefined }
      void navigate({ to: '.', search: (now) => ({ ...now, ...change }), replace: true })
    },
    [navigate],
  )
  if (!isShown) return null
  return (
    <SearchField className={classes.listSearch} label={label} value={q ?? ''} onSearch={search} />
  )
}
