import { destinations, projectLimits } from '@busbar/contract'
import { useState } from 'react'
import { projectKey } from '../../../entities/project/project-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { formatNumber } from '../../../shared/i18n/index.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { ChoicesField } from '../../../shared/ui/fields/choices-field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { type Form, useForm } from '../../../shared/ui/form/use-form.ts'
import { BrokerFields, findBrokerProblems } from './broker-fields.tsx'
import {
  contents,
  type DestinationValues,
  formatOf,
  formatsOf,
  requestOptions,
  settingsOf,
  shownOf,
  valuesOf,
} from './destination-settings.ts'
import { useDestinationsText } from './destinations-text.ts'
import { SecretShown } from './secret-shown.tsx'

const rowsOfRequest = [1, 10, 100, 1_000]
const lanes = Array.from({ length: projectLimits.lanesMax }, (_, place) => place + 1)

/** The names of a broker’s fields in the request. */
const names = {
  ...{ version: 'mqtt.version', topic: 'mqtt.topic', clientId: 'mqtt.clientId', username: 'mqtt.username' },
  ...{ password: 'mqtt.password', certificate: 'mqtt.certificate', privateKey: 'mqtt.privateKey' },
  ...{ ca: 'mqtt.ca', pin: 'mqtt.pin', group: 'mqtt.group', edgeNode: 'mqtt.edgeNode' },
}

interface DestinationDialogProps {
  projectId: number
  /** Left out: a new one. */
  destination?: destinations.Destination | undefined
  onClose: () => void
}

/** Adds a destination, and shows the secret of a webhook; or changes one. */
export function DestinationDialog({ projectId, destination, onClose }: DestinationDialogProps) {
  const t = useDestinationsText()
  const [secret, setSecret] = useState<string>()
  const kept = destination?.mqtt
  const form = useForm({
    route: destination ? destinations.updateDestination : destinations.createDestination,
    initial: valuesOf(destination),
    names,
    words: {
      name: { required: t.nameMissing },
      url: { required: t.urlMissing },
      username: { required: t.usernameMissing },
      certificate: { required: t.pemMissing },
      ca: { required: t.pemMissing },
      pin: { required: t.pinWrong },
    },
    required: ['name', 'url', 'username', 'certificate', 'ca', 'pin'],
    shown: shownOf,
    check: (values) =>
      values.type === 'webhook'
        ? { content: values.content.length === 0 ? t.contentMissing : undefined }
        : findBrokerProblems(values, kept, t),
    errorFields: { DESTINATION_ADDRESS: 'url', DESTINATION_PLAIN: 'url' },
    send: async (values) => {
      const settings = settingsOf(values)
      if (!destination) return call(destinations.createDestination, { id: projectId, ...settings })
      await call(destinations.updateDestination, { id: destination.targetId, ...settings })
      return undefined
    },
    done: (created, { name }) => (created ? (created.secret === null ? t.added(name) : undefined) : t.saved),
    touched: [projectKey(projectId)],
    onSent: (created) => (created?.secret ? setSecret(created.secret) : onClose()),
  })
  if (secret !== undefined) return <SecretShown secret={secret} onClose={onClose} />
  const { type } = form.values
  const format = formatOf(form.values)
  return (
    <FormDialog
      title={destination ? destination.name : t.add}
      submit={destination ? t.save : t.add}
      form={form}
      onClose={onClose}
    >
      {!destination && (
        <SelectField
          label={t.type}
          options={destinations.destinationTypes.map((value) => ({ value, label: t.types[value] }))}
          hint={t.typeHint[type]}
          {...form.field('type')}
        />
      )}
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
        placeholder={t.urlPlaceholders[type]}
        {...form.text('url')}
      />
      <SelectField
        label={t.format}
        options={formatsOf(type).map((value) => ({ value, label: t.formats[value] }))}
        hint={t.formatHint[format]}
        {...form.field('format')}
        value={format}
      />
      {type === 'mqtt' && <BrokerFields projectId={projectId} form={form} kept={kept} />}
      {type === 'webhook' && <WebhookFields form={form} />}
    </FormDialog>
  )
}

/** The rows and events of a webhook, and its requests. */
function WebhookFields({ form }: { form: Form<DestinationValues> }) {
  const t = useDestinationsText()
  const { rowsMax } = form.values
  return (
    <>
      <ChoicesField
        label={t.content}
        options={contents.map((value) => ({ value, label: value === 'rows' ? t.rows : t.events[value] }))}
        hint={t.eventsHint}
        {...form.field('content')}
      />
      <ChoicesField
        label={t.options}
        options={requestOptions.map((value) => ({ value, label: t[value] }))}
        {...form.field('options')}
      />
      <SelectField
        label={t.rowsMax}
        options={[...new Set([...rowsOfRequest, rowsMax])]
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
    </>
  )
}
