import { ExampleGuide } from '../../entities/project/example-guide.tsx'
import { brokerOf } from '../../entities/project/examples.ts'
import { Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { useApiDocText } from './api-doc-text.ts'

/** How a program takes the data of a project, for any project of this platform. */
export default function ProjectGuide() {
  const t = useApiDocText()
  return (
    <Stack gap={12} shrinks>
      <Text as="h2" size="18/24">
        {t.guide}
      </Text>
      <Text as="p" tone="soft" pretty>
        {t.guideLead}
      </Text>
      <ExampleGuide address={location.origin} broker={brokerOf({ host: location.hostname })} />
    </Stack>
  )
}
