import { destinations, projectLimits, type RequestOf } from '@busbar/contract'
import { useState } from 'react'
import { projectKey } from '../../../entities/project/project-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { formatNumber } from '../../../shared/i18n/index.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { ChoicesField } from '../../../shared/ui/fields/choices-field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { useDestinationsText } from './destinations-text.ts'
import { SecretShown } from './secret-shown.tsx'

type Destination = destinations.Destination
type Settings = Omit<RequestOf<typeof destinations.createDestination>, 'id'>

/** Rows, and the events that are delivered beside them. */
const contents = ['rows', ...destinations.projectEvents] as const
const options = ['ndjson', 'gzip'] as const
const rowsOfRequest = [1, 10, 100, 1_000]
const lanes = Array.from({ length: projectLimits.lanesMax }, (_, place) => place + 1)

/** The settings of a destination, as a change sends them again. */
export function settingsOf(destination: Destination): Settings {
  const { name, type, url, format, ndjson, gzip, rowsMax, rows, events, mqtt } = destination
  return {
    ...{ name, type, url, format, ndjson, gzip, lanes: destination.lanes, rowsMax, rows, events },
    ...(mqtt && { mqtt }),
  }
}

interface DestinationDialogProps {
  projectId: number
  /** Left out: a new one. */
  destination?: Destination | undefined
  onClose: () => void
}

/** Adds a destination, and shows its secret; or changes one. */
export function DestinationDialog({ projectId, destination, onClose }: DestinationDialogProps) {
  const t = useDestinationsText()
  const [secret, setSecret] = useState<string>()
  const form = useForm({
    route: destination ? destinations.updateDestination : destinations.createDestination,
    initial: {
      name: destination?.name ?? '',
      url: destination?.url ?? '',
      format: destination?.format ?? 'json',
      content: contents.filter((each) =>
        each === 'rows' ? (destination?.rows ?? true) : destination?.events.includes(each),
      ),
      options: options.filter((each) => destination?.[each]),
      rowsMax: destination?.rowsMax ?? 1_000,
      lanes: destination?.lanes ?? 1,
    },
    words: { name: { required: t.nameMissing }, url: { required: t.urlMissing } },
    required: ['name', 'url'],
    check: ({ content }) => ({ content: content.length > 0 ? undefined : t.contentMissing }),
    errorFields: { DESTINATION_ADDRESS: 'url', DESTINATION_PLAIN: 'url', DESTINATION_FORMAT: 'format' },
    send: async ({ content, options: chosen, ...values }) => {
      const settings: Settings = {
        type: 'webhook',
        // A broker keeps the settings that this form does not show.
        ...(destination && settingsOf(destination)),
        ...values,
        ...{ ndjson: chosen.includes('ndjson'), gzip: chosen.includes('gzip') },
        rows: content.includes('rows'),
        events: destinations.projectEvents.filter((event) => content.includes(event)),
      }
      if (!destination) return call(destinations.createDestination, { id: projectId, ...settings })
      await call(destinations.updateDestination, { id: destination.targetId, ...settings })
      return undefined
    },
    done: (created) => (created ? undefined : t.saved),
    touched: [projectKey(projectId)],
    onSent: (created) => (created?.secret ? setSecret(created.secret) : onClose()),
  })
  if (secret !== undefined) return <SecretShown secret={secret} onClose={onClose} />
  const { values } = form
  return (
    <FormDialog
      title={destination ? destination.name : t.add}
      submit={destination ? t.save : t.add}
      form={form}
      onClose={onClose}
    >
      <TextField
        label={t.name}
        autoFocus
        maxLength={projectLimits.destinationNameMax * 2}
        {...form.text('name')}
      />
      <TextField
        label={t.url}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder={t.urlPlaceholder}
        {...form.text('url')}
      />
      <SelectField
        label={t.format}
        options={destinations.rowFormats.map((value) => ({ value, label: t.formats[value] }))}
        hint={t.formatHint[values.format]}
        {...form.field('format')}
      />
      <ChoicesField
        label={t.content}
        options={contents.map((value) => ({ value, label: value === 'rows' ? t.rows : t.events[value] }))}
        hint={t.eventsHint}
        {...form.field('content')}
        onChange={(chosen) => form.set('content', [...chosen])}
      />
      <ChoicesField
        label={t.options}
        options={options.map((value) => ({ value, label: t[value] }))}
        {...form.field('options')}
        onChange={(chosen) => form.set('options', [...chosen])}
      />
      <SelectField
        label={t.rowsMax}
        options={[...new Set([...rowsOfRequest, values.rowsMax])]
          .sort((a, b) => a - b)
          .map((value) => ({ value, label: t.rowsOf(formatNumber(value)) }))}
        {...form.field('rowsMax')}
      />
      <SelectField
        label={t.lanes}
        options={lanes.map((value) => ({ value, label: t.lanesOf(value) }))}
        hint={t.lanesHint}
        {...form.field('lanes')}
      />
    </FormDialog>
  )
}
