// All parts of the kit in all their states, on one page: `npm run looks -- dashboard kit` makes a sheet of it.
import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Checkbox,
  Code,
  Group,
  Loader,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Progress,
  Radio,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Switch,
  Tabs,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { Problem } from '../../dashboard/web/api/problem.ts'
import { IconAlertTriangle, IconChartBar, IconCopy } from '../../dashboard/web/icons/icons.tsx'
import { EmptyState } from '../../dashboard/web/parts/empty-state.tsx'
import { ErrorState } from '../../dashboard/web/parts/error-state.tsx'
import { Cell, DataTable, TableSkeleton } from '../../dashboard/web/parts/lists/data-table.tsx'
import { Section } from '../../dashboard/web/parts/section.tsx'
import { Dot } from '../../dashboard/web/parts/text/dot.tsx'
import { StatusBadge } from '../../dashboard/web/parts/text/status-badge.tsx'
import { VIDEO_STATUSES } from '../../domain/videos/video-state.ts'
import { Tokens } from './dashboard-kit-tokens.tsx'

const ENGLISH = {
  title: 'Opening night',
  action: 'Add video',
  label: 'Title',
  hint: 'As viewers see it',
  wrong: 'Enter a title.',
  text: 'Paste the link to a video file. It is downloaded, encoded and ready to embed.',
  options: ['All', 'Ready', 'Failed'],
}

type Sample = typeof ENGLISH

const ARABIC: Sample = {
  title: 'ليلة الافتتاح',
  action: 'إضافة فيديو',
  label: 'العنوان',
  hint: 'كما يراه المشاهدون',
  wrong: 'أدخل عنوانًا.',
  text: 'الصق رابط ملف الفيديو. يُنزَّل ويُرمَّز ثم يصبح جاهزًا للتضمين.',
  options: ['الكل', 'جاهز', 'فشل'],
}

/** All parts, in the language of the document. */
export function Gallery() {
  const sample = document.documentElement.lang === 'ar' ? ARABIC : ENGLISH
  return (
    <Stack component="main" p="xl" gap="xl">
      <Title order={1}>{sample.title}</Title>
      <Buttons {...sample} />
      <Fields {...sample} />
      <Choices {...sample} />
      <Notices {...sample} />
      <Table {...sample} />
      <States {...sample} />
      <Tokens sample={sample.title} />
    </Stack>
  )
}

const VARIANTS = ['filled', 'default', 'light', 'subtle'] as const

const Buttons = ({ action }: Sample) => (
  <Section title="Buttons">
    {[undefined, 'red'].map((color) => (
      <Group key={color ?? 'accent'}>
        {VARIANTS.map((variant) => (
          <Button key={variant} variant={variant} color={color}>
            {action}
          </Button>
        ))}
        <Button color={color} loading>
          {action}
        </Button>
        <Button color={color} disabled>
          {action}
        </Button>
        <Button color={color} size="compact-sm" variant="default">
          {action}
        </Button>
        <ActionIcon color={color} variant="subtle" aria-label={action}>
          <IconCopy size={16} />
        </ActionIcon>
      </Group>
    ))}
  </Section>
)

const Fields = ({ label, hint, wrong, title, text, options }: Sample) => (
  <Section title="Fields">
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <TextInput label={label} description={hint} placeholder={title} />
      <TextInput label={label} defaultValue={title} required />
      <TextInput label={label} error={wrong} />
      <TextInput label={label} defaultValue={title} disabled />
      <TextInput label={label} defaultValue={title} readOnly />
      <PasswordInput label={label} defaultValue={title} autoComplete="off" />
      <NativeSelect label={label} data={options} />
      <NumberInput label={label} defaultValue={3} />
      <Textarea label={label} defaultValue={text} />
    </SimpleGrid>
  </Section>
)

const Choices = ({ options: [first = '', second = '', third = ''], hint }: Sample) => (
  <Section title="Choices and tabs">
    <Group>
      <Checkbox label={first} defaultChecked />
      <Checkbox label={second} description={hint} />
      <Checkbox label={third} indeterminate />
      <Checkbox label={third} disabled />
      <Switch label={first} defaultChecked />
      <Switch label={second} />
      <Switch label={third} disabled />
      <Radio label={first} name="radio" defaultChecked />
      <Radio label={second} name="radio" />
      <SegmentedControl data={[first, second, third]} aria-label={hint} />
    </Group>
    <Tabs defaultValue={second}>
      <Tabs.List aria-label={hint}>
        {[first, second, third].map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {[first, second, third].map((name) => (
        <Tabs.Panel key={name} value={name}>
          {name}
        </Tabs.Panel>
      ))}
    </Tabs>
  </Section>
)

const TONES = ['good', 'early', 'waiting', 'bad', 'none'] as const

const Notices = ({ title, text }: Sample) => (
  <Section title="Badges and notices">
    <Group>
      {VIDEO_STATUSES.map((status) => (
        <StatusBadge key={status} status={status} />
      ))}
      {TONES.map((tone) => (
        <Dot key={tone} tone={tone}>
          {tone}
        </Dot>
      ))}
      <Badge>{title}</Badge>
      <Badge variant="light">{title}</Badge>
      <Code>video.ready</Code>
    </Group>
    {['red', 'yellow', 'pine', 'gray'].map((color) => (
      <Alert key={color} color={color} title={title} icon={<IconAlertTriangle size={18} />}>
        {text}
      </Alert>
    ))}
  </Section>
)

const Table = ({ title, label, hint }: Sample) => (
  <Section title="Table">
    <DataTable label={title} columns={[label, 'Status', '#']}>
      {VIDEO_STATUSES.map((status, index) => (
        <tr key={status}>
          <Cell label={label} isHeading>
            {title} {index + 1}
          </Cell>
          <Cell label="Status">
            <StatusBadge status={status} />
          </Cell>
          <Cell label={hint}>{(index + 1) * 111}</Cell>
        </tr>
      ))}
    </DataTable>
  </Section>
)

const PROBLEM = new Problem({
  kind: 'api_error',
  code: 'database_unavailable',
  message: 'The database is not responding.',
  status: 503,
  field: null,
  requestId: 'req_0f3c9a7be04d5628',
})

const States = ({ title, text, action }: Sample) => (
  <Section title="Empty, loading and error">
    <EmptyState icon={IconChartBar} title={title} text={text}>
      <Button>{action}</Button>
    </EmptyState>
    <TableSkeleton rows={3} />
    <Group>
      <Loader size="sm" aria-hidden />
      <Skeleton height={36} width={180} />
      <Progress.Root w={240}>
        <Progress.Section value={62} aria-label={title} />
      </Progress.Root>
    </Group>
    <ErrorState error={PROBLEM} retry={() => {}} />
  </Section>
)
