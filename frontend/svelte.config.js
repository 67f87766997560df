/** @type {import('@sveltejs/vite-plugin-svelte').SvelteConfig} */
export default {
  compilerOptions: {
    runes: true,
    css: 'external', // the content security policy allows no style that is set by a script
  },
  // What a warning is about, mostly accessibility, is a mistake here.
  onwarn({ code, message, filename }) {
    throw new Error(`${filename}: ${message} (${code})`);
  },
};
