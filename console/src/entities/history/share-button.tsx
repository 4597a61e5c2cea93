import { useEffect, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { IconButton } from '../../shared/ui/button.tsx'

const copiedShownMs = 2_000

/** Copies the address of the current view; without a clipboard, the browser shows it for copying. */
export function ShareButton({ onShare }: { onShare: () => string }) {
  const t = useText().history.share
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copiedShownMs)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy() {
    const link = onShare()
    try {
      await navigator.clipboard.writeText(link)
      setCopied(true)
    } catch {
      // Without https a page cannot use the clipboard.
      window.prompt(t.copy, link)
    }
  }

  return (
    <>
      <IconButton
        icon={isCopied ? 'check' : 'link'}
        size="small"
        label={isCopied ? t.copied : t.copy}
        onClick={() => void copy()}
      />
      <span className="sr-only" role="status">
        {isCopied && t.copied}
      </span>
    </>
  )
}
