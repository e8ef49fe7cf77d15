import { useNavigate } from '@tanstack/react-router'
import type { RangeInSearch } from '../../api/audience.ts'

const NOTHING = { range: undefined, from: undefined, to: undefined }
const FIRST_PAGE = { after: undefined, before: undefined }

/** Returns what shows the page for another time; with `replace`, Back leads to the time before both. */
export function useShowTime(): (time: RangeInSearch, replace?: boolean) => void {
  const navigate = useNavigate()
  return (time, replace = false) => {
    const change = { ...NOTHING, ...FIRST_PAGE, ...time }
    void navigate({
      to: '.',
      search: (now) => ({ ...now, ...change }),
      replace,
      resetScroll: false,
    })
  }
}
