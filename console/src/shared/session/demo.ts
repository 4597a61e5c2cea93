/** Whether the platform that served this page runs its demo, according to the page. */
export const isDemo = document.querySelector('meta[name="demo"]') !== null
