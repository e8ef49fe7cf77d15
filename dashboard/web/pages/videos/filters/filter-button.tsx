import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { IconAdjustmentsHorizontal } from '../../../icons/icons.tsx'
import { useVideosWords } from '../words.ts'

const FilterDialog = lazy(async () => ({
  default: (await import('./filter-dialog.tsx')).FilterDialog,
}))

const route = getRouteApi('/accounts/$account/videos')

/** Opens the dialog with the filters that have no place beside the list. */
export function FilterButton() {
  const { filters } = useVideosWords()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {filters.button}
      </Button>
      {isOpen && (
        <Suspense>
          <FilterDialog
            filters={search}
            onClose={() => setOpen(false)}
            onChoose={(chosen) => {
              setOpen(false)
              void navigate({ search: (now) => ({ ...now, ...chosen }) })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
