import { TextLink } from '../../parts/links/links.tsx'
import { LongText } from '../../parts/text/long-text.tsx'

/** A viewer id, which leads to the page of the viewer. */
export const ViewerLink = ({ account, viewer }: { account: string; viewer: string }) => (
  <TextLink
    to="/accounts/$account/audience/viewer"
    params={{ account }}
    search={{ id: viewer }}
    size="sm"
  >
    <LongText>{viewer}</LongText>
  </TextLink>
)
