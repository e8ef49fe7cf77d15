import { Menu, type MenuItemProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLink, getRouteApi } from '@tanstack/react-router'
import { useState, type ReactElement, type ReactNode, type Ref } from 'react'
import { videosMatch } from '../../../api/video-search/filter.ts'
import { isShown, savedViewsQuery } from '../../../api/video-search/saved-views.ts'
import { IconBookmark, IconCheck, IconPencil, IconPlus } from '../../../icons/icons.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { useVideosWords } from '../words.ts'
import { ManageViews } from './manage-views.tsx'
import { SaveView } from './save-view.tsx'
import classes from './views.module.css'

const route = getRouteApi('/accounts/$account/videos')

const ItemLink = createLink(
  ({ ref, ...props }: MenuItemProps & { ref?: Ref<HTMLAnchorElement>; children?: ReactNode }) => (
    <Menu.Item component="a" ref={ref} {...props} />
  ),
)

interface Props {
  account: string
  /** The button that opens the menu. */
  target: ReactElement
}

/** The saved views of the member, each a link to what it shows, and what is done with them. */
export function ViewsMenu({ account, target }: Props) {
  const { views: words } = useVideosWords()
  const match = videosMatch(route.useSearch())
  const { data: views, error } = useQuery(savedViewsQuery(account))
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null)
  const close = (): void => setDialog(null)
  return (
    <>
      <Menu defaultOpened position="bottom-start">
        <Menu.Target>{target}</Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          {error && <ErrorState error={error} />}
          {views?.length === 0 && <Menu.Label className={classes.none}>{words.none}</Menu.Label>}
          {views?.map((view) => (
            <ItemLink
              key={view.id}
              to="/accounts/$account/videos"
              params={{ account }}
              search={videosMatch(view.search)}
              aria-current={isShown(view, match) ? 'true' : undefined}
              leftSection={
                isShown(view, match) ? <IconCheck size={14} /> : <IconBookmark size={14} />
              }
            >
              <bdi>{view.name}</bdi>
            </ItemLink>
          ))}
          {views && views.length > 0 && <Menu.Divider />}
          <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => setDialog('save')}>
            {words.save}
          </Menu.Item>
          {views && views.length > 0 && (
            <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setDialog('manage')}>
              {words.manage}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' && <SaveView account={account} match={match} onClose={close} />}
      {dialog === 'manage' && <ManageViews account={account} match={match} onClose={close} />}
    </>
  )
}
