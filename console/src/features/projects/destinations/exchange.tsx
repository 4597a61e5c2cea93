import { IconButton } from '../../../shared/ui/button.tsx'
import { CodeBlock } from '../../../shared/ui/code-block.tsx'
import { copyText } from '../../../shared/ui/copy-text.ts'
import { Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { useDestinationsText } from './destinations-text.ts'

interface ExchangeProps {
  title: string
  /** As it went over the line. */
  text: string
  /** In place of an empty text. */
  none?: string
}

/** A request or an answer, byte by byte. */
export function Exchange({ title, text, none }: ExchangeProps) {
  const t = useDestinationsText()
  return (
    <Stack as="section" gap={6} shrinks>
      <Row gap={8} justify="between">
        <Text as="h3" size={13} weight={600}>
          {title}
        </Text>
        {text !== '' && (
          <IconButton
            icon="copy"
            size="small"
            label={`${t.copy} · ${title}`}
            onClick={() => void copyText(text)}
          />
        )}
      </Row>
      {text === '' ? (
        <Text as="p" tone="quiet">
          {none}
        </Text>
      ) : (
        <CodeBlock text={text} breaks />
      )}
    </Stack>
  )
}
