/** Whether the platform that served this page runs its demo: it says so in the page. */
export const isDemo = document.querySelector('meta[name="demo"]') !== null
