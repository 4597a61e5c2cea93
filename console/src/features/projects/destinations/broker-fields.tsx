import { destinations, fillTopic, findTopicFault, projectLimits, type TopicFault } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { projectMachinesQuery } from '../../../entities/project/project-queries.ts'
import dialog from '../../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { PasswordField } from '../../../shared/ui/fields/password-field.tsx'
import { TextArea } from '../../../shared/ui/fields/text-area.tsx'
import type { Form } from '../../../shared/ui/form/use-form.ts'
import { Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import {
  type DestinationValues,
  hasCertificate,
  hasUser,
  isPlain,
  shownOf,
  signIns,
  trusts,
} from './destination-settings.ts'
import { type DestinationsText, useDestinationsText } from './destinations-text.ts'

const pem = /^\s*-----BEGIN /
const topicLevel = /^[^+#/\p{C}]*$/u
const sha256 = /^\s*(?:[\da-f]{2}:?){31}[\da-f]{2}\s*$/i

/** The settings of a broker that the platform would refuse, by their fields. */
export function findBrokerProblems(
  values: DestinationValues,
  kept: destinations.Mqtt | undefined,
  t: DestinationsText,
) {
  const shown = shownOf(values)
  const { topic, certificate, privateKey, pin } = values
  const wrongName = (field: 'group' | 'edgeNode') =>
    shown.includes(field) && !topicLevel.test(values[field]) ? t.topicLevelWrong : undefined
  const wrongPem = (field: 'ca' | 'certificate' | 'privateKey') =>
    shown.includes(field) && values[field].trim() !== '' && !pem.test(values[field]) ? t.pemWrong : undefined
  // A key belongs to its certificate.
  const isKeyKept = kept?.hasPrivateKey === true && certificate === kept.certificate
  const needsKey = shown.includes('privateKey') && privateKey.trim() === '' && !isKeyKept
  return {
    topic: shown.includes('topic') ? explainTopic(topic, t) : undefined,
    group: wrongName('group'),
    edgeNode: wrongName('edgeNode'),
    ca: wrongPem('ca'),
    certificate: wrongPem('certificate'),
    privateKey: needsKey ? t.keyMissing : wrongPem('privateKey'),
    pin: shown.includes('pin') && pin !== '' && !sha256.test(pin) ? t.pinWrong : undefined,
  }
}

/** Why a topic cannot be one, with the place; undefined for one that can. */
function explainTopic(topic: string, t: DestinationsText): string | undefined {
  const fault = findTopicFault(topic)
  if (!fault) return undefined
  const { at, problem } = fault
  return problem === 'empty'
    ? t.topicMissing
    : problem === 'tooLong'
      ? t.topicTooLong(projectLimits.topicMax)
      : t.topicFaults[problem](at, seen(fault))
}

/** A character that cannot be seen, by its number. */
const seen = ({ found }: TopicFault) =>
  /\p{C}/u.test(found) ? `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}` : found

interface BrokerFieldsProps {
  projectId: number
  form: Form<DestinationValues>
  /** The settings that are kept, whose secrets are not shown. */
  kept: destinations.Mqtt | undefined
}

/** The settings of somebody’s broker. */
export function BrokerFields({ projectId, form, kept }: BrokerFieldsProps): ReactNode {
  const t = useDestinationsText()
  const { values } = form
  const lasting = { autoComplete: 'off', spellCheck: false }
  return (
    <>
      {values.format === 'sparkplug' ? (
        <SparkplugFields projectId={projectId} form={form} />
      ) : (
        <TopicField projectId={projectId} form={form} />
      )}
      <SelectField
        label={t.signIn}
        options={signIns.map((value) => ({ value, label: t.signIns[value] }))}
        {...form.field('signIn')}
      />
      {hasUser(values) && (
        <>
          <TextField
            label={t.username}
            maxLength={projectLimits.brokerUserMax}
            {...lasting}
            {...form.text('username')}
          />
          <PasswordField
            label={t.password}
            maxLength={projectLimits.brokerPasswordMax}
            autoComplete="new-password"
            {...(kept?.hasPassword && { placeholder: t.secretKept })}
            {...form.text('password')}
          />
        </>
      )}
      {!isPlain(values) && hasCertificate(values) && (
        <>
          <PemField label={t.clientCertificate} {...form.text('certificate')} />
          <PemField
            label={t.privateKey}
            isKey
            {...(kept?.hasPrivateKey && { placeholder: t.secretKept })}
            {...form.text('privateKey')}
          />
        </>
      )}
      {!isPlain(values) && (
        <SelectField
          label={t.trust}
          options={trusts.map((value) => ({ value, label: t.trusts[value] }))}
          hint={t.trustHint[values.trust]}
          {...form.field('trust')}
        />
      )}
      {!isPlain(values) && values.trust === 'ca' && <PemField label={t.ca} {...form.text('ca')} />}
      {!isPlain(values) && values.trust === 'pin' && (
        <TextField label={t.pin} {...lasting} {...form.text('pin')} />
      )}
      <SelectField
        label={t.version}
        options={destinations.mqttVersions.map((value) => ({ value, label: `MQTT ${value}` }))}
        {...form.field('version')}
      />
      <Stack gap={6}>
        <TextField
          label={t.clientId}
          maxLength={projectLimits.clientIdMax}
          {...lasting}
          {...form.text('clientId')}
        />
        <p className={dialog.hint}>{t.clientIdHint}</p>
      </Stack>
    </>
  )
}

/** The topic with its parts, and how it is for a device of the project. */
function TopicField({ projectId, form }: Pick<BrokerFieldsProps, 'projectId' | 'form'>) {
  const t = useDestinationsText()
  const { data } = useQuery(projectMachinesQuery(projectId))
  const machine = data?.find(({ stop }) => stop === null)
  const { topic } = form.values
  const { name: machineName, code: machineCode } = machine ?? t.topicMachine
  // Each row has its own group.
  const words = { projectId: String(projectId), machineCode, machineName, group: '{group}' }
  return (
    <Stack gap={6}>
      <TextField
        label={t.topic}
        autoComplete="off"
        spellCheck={false}
        placeholder="factory/{machineCode}/{group}"
        {...form.text('topic')}
      />
      <p className={dialog.hint}>{t.topicHint}</p>
      {!findTopicFault(topic) && (
        <p className={dialog.hint} role="status">
          {t.topicPreview(machineName)}{' '}
          <Text mono tone="text" breaks>
            {fillTopic(topic, words)}
          </Text>
        </p>
      )}
    </Stack>
  )
}

/** The names that hosts know the project by; its devices have their codes. */
function SparkplugFields({ projectId, form }: Pick<BrokerFieldsProps, 'projectId' | 'form'>) {
  const t = useDestinationsText()
  const field = { autoComplete: 'off', spellCheck: false, maxLength: projectLimits.sparkplugNameMax }
  return (
    <>
      <TextField label={t.group} placeholder="busbar" {...field} {...form.text('group')} />
      <Stack gap={6}>
        <TextField
          label={t.edgeNode}
          placeholder={`project-${projectId}`}
          {...field}
          {...form.text('edgeNode')}
        />
        <p className={dialog.hint}>{t.edgeNodeHint}</p>
      </Stack>
    </>
  )
}

interface PemFieldProps {
  label: string
  /** A private key. */
  isKey?: boolean
  placeholder?: string
  name: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
  onBlur: () => void
}

/** A certificate or a key, as its file has it. */
function PemField({ isKey = false, placeholder, ...field }: PemFieldProps) {
  return (
    <TextArea
      rows={3}
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder ?? `-----BEGIN ${isKey ? 'PRIVATE KEY' : 'CERTIFICATE'}-----`}
      {...field}
    />
  )
}
