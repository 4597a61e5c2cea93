import type { onboarding } from '@busbar/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { CopyLine } from '../../shared/ui/copy-line.tsx'
import { Panel, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { Tabs } from '../../shared/ui/tabs/tabs.tsx'
import css from './connect.module.css'
import { type ConnectText, useConnectText } from './connect-text.ts'
import { type Access, examplesOf, telemetryTopic } from './examples.ts'
import { useMade } from './made.ts'

type Kind = Exclude<onboarding.OnboardingKind, 'agent'>

interface ValuesSetupProps {
  machineId: number
  kind: Kind
}

/** A machine without our agent needs addresses, a sign-in, a topic, and an example for its program. */
export function ValuesSetup({ machineId, kind }: ValuesSetupProps) {
  const t = useConnectText().values
  const navigate = useNavigate()
  const { secretRenew } = useText().access.settings
  const made = useMade(machineId)
  const { addresses, machineCode: code, secret } = made ?? {}
  if (!addresses || code === undefined || !secret)
    return (
      <Panel aria-label={t.title} className={css.panel} data-subject="">
        <h2>{t.title}</h2>
        <Text as="p" tone="soft" below={10} pretty>
          {t.hidden}
        </Text>
        <Button
          icon="key"
          onClick={() => void navigate({ to: '/administrateCenter', search: { machineId, tab: 'settings' } })}
        >
          {secretRenew}
        </Button>
      </Panel>
    )
  const access = { addresses, code, secret }
  return (
    <Panel aria-label={t.title} className={css.panel} data-subject="">
      <h2>{t.title}</h2>
      <Text as="p" tone="warn" below={10} pretty>
        {t.once}
      </Text>
      <dl className={css.facts}>
        {factsOf(kind, access, t).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {typeof value === 'string' ? (
                <CopyLine label={t.copy(label)} text={value} />
              ) : (
                <Text tone="quiet">{value.note}</Text>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <Examples kind={kind} access={access} />
    </Panel>
  )
}

/** A text to copy, or a note on what it may be. */
type Fact = readonly [label: string, value: string | { readonly note: string }]

function factsOf(kind: Kind, { addresses, code, secret }: Access, t: ConnectText['values']): Fact[] {
  const signIn: Fact[] = [
    [t.user, code],
    [t.password, secret],
  ]
  if (kind === 'http') return [[t.url, addresses.ingestUrl], ...signIn]
  const { host, mqttPort, mqttsPort, webSocketUrl } = addresses
  const server: Fact[] = [
    [t.server, host],
    ...(mqttsPort === null ? [] : [[t.tlsPort, String(mqttsPort)] as const]),
    ...(mqttPort === null ? [] : [[t.port, String(mqttPort)] as const]),
    [t.webSocket, webSocketUrl],
    ...signIn,
  ]
  return kind === 'sparkplug'
    ? [...server, [t.edgeNode, code], [t.group, { note: t.groupAny }]]
    : [...server, [t.clientId, { note: t.clientIdAny }], [t.topic, telemetryTopic]]
}

function Examples({ kind, access }: { kind: Kind; access: Access }) {
  const t = useConnectText().values
  const examples = examplesOf(kind, access)
  const [chosen, setChosen] = useState(examples[0]?.name ?? '')
  const example = examples.find(({ name }) => name === chosen)
  return (
    <Stack above={16} gap={8}>
      <h3>{t.examples}</h3>
      <Tabs
        label={t.examples}
        tabs={examples.map(({ name }) => ({ id: name, label: name }))}
        chosen={chosen}
        onChoose={setChosen}
        panelClassName={css.tab}
      >
        {example && (
          <Stack gap={8}>
            <CopyLine label={t.copy(example.name)} text={example.text} />
            {example.isUntried && (
              <Text tone="quiet" size="12/16">
                {t.untried}
              </Text>
            )}
          </Stack>
        )}
      </Tabs>
    </Stack>
  )
}
