import { getText } from '../i18n/language.ts'
import { showToast } from './toast/toast-store.ts'

/** Copies a text, and says so. Without https a page cannot use the clipboard, and says that. */
export async function copyText(text: string): Promise<void> {
  const { notices } = getText()
  try {
    await navigator.clipboard.writeText(text)
    showToast(notices.copied)
  } catch {
    showToast(notices.copyFailed, 'failure')
  }
}
