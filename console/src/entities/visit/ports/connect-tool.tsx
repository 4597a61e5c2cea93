import { downloads, type visits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { CopyLine } from '../../../shared/ui/copy-line.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { Note, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import {
  guessSystem,
  isLocalPort,
  openCommand,
  type ProgramSystem,
  programName,
  signInCommand,
} from './connect-command.ts'
import type { Port } from './port.ts'
import { usePortsText } from './ports-text.ts'

/** The lines that open a port on the person's own computer, and the settings that their tool needs. */
export function ConnectTool({ code, port }: { code: string; port: Port }) {
  const t = usePortsText().tool
  const [mode, setMode] = useState<visits.VisitMode>(port.mayChange ? 'rw' : 'ro')
  const [localPort, setLocalPort] = useState('')
  const isRight = isLocalPort(localPort)
  const files = usePrograms()
  const systems = files?.map(({ system }) => system) ?? []
  const [chosen, setChosen] = useState<ProgramSystem>()
  const system = chosen ?? guessSystem(navigator.userAgent, systems)
  return (
    <Stack gap={12}>
      <Row>
        <ToggleGroup
          label={t.mode}
          size="small"
          options={[
            { value: 'rw', label: t.modes.rw, disabled: !port.mayChange },
            { value: 'ro', label: t.modes.ro, disabled: !port.mayLook },
          ]}
          value={mode}
          onChange={setMode}
        />
      </Row>
      {mode === 'rw' && <Note>{t.takes}</Note>}
      <TextField
        label={t.localPort}
        value={localPort}
        onChange={(text) => setLocalPort(text.trim())}
        inputMode="numeric"
        placeholder={t.localPortHint}
        error={isRight ? undefined : t.localPortWrong}
      />
      {systems.length > 1 && (
        <SelectField
          label={t.system}
          value={system}
          options={systems.map((value) => ({ value, label: t.systems[value] ?? value }))}
          onChange={setChosen}
        />
      )}
      <Step title={system === 'any' ? t.get : t.getFolder}>
        <Program files={files} system={system} />
      </Step>
      <Step title={t.signIn}>
        <CopyLine text={signInCommand(system, location.origin)} label={`${t.copy} · ${t.signIn}`} />
      </Step>
      <Step title={t.open}>
        <CopyLine
          text={openCommand(system, { code, port: port.name, mode, localPort: isRight ? localPort : '' })}
          label={`${t.copy} · ${t.open}`}
        />
      </Step>
      <Step title={t.settings}>
        <Note>{port.hint}</Note>
      </Step>
    </Stack>
  )
}

function Step({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack as="section" gap={4} shrinks>
      <Text as="p" size={12} weight={600}>
        {title}
      </Text>
      {children}
    </Stack>
  )
}

/** The program for each system that the platform offers it for; undefined until it is known. */
function usePrograms(): readonly downloads.Download[] | undefined {
  const { data } = useQuery({
    queryKey: ['downloads'],
    queryFn: ({ signal }) => call(downloads.listDownloads, {}, { signal, silent: true }),
  })
  return data?.files.filter(({ program }) => program === programName)
}

/** The program as the platform offers it, with the sum by which a person checks it. */
function Program({
  files,
  system,
}: {
  files: readonly downloads.Download[] | undefined
  system: ProgramSystem
}) {
  const t = usePortsText().tool
  const file = files?.find((one) => one.system === system)
  if (!file) return <Note>{files ? t.missing : ''}</Note>
  return (
    <>
      <a href={file.url} download>
        {t.download(file.file)}
      </a>
      <Text as="p" mono tone="quiet" size={12} breaks>
        SHA-256 {file.sha256}
      </Text>
    </>
  )
}
