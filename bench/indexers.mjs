// Copyright (C) The detemplate authors
//
// indexers.mjs DIR < QUERIES   prints for each line the URLs of the pages that
//                              the index of Pagefind in DIR finds.  Its script
//                              is for browsers, so files are fetched for it.

import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';

const dir = path.resolve(process.argv[2]);

globalThis.fetch = async url => new Response(fs.readFileSync(path.join(dir,
    new URL(url, 'http://a/').pathname.replace(/^\/pagefind/, ''))));

fs.copyFileSync(path.join(dir, 'pagefind.js'), path.join(dir, 'index.mjs'));

const pagefind = await import(path.join(dir, 'index.mjs'));

await pagefind.options({ basePath: 'http://a/pagefind/', baseUrl: '/',
                         noWorker: true });
await pagefind.init();

for await (const line of readline.createInterface({ input: process.stdin })) {
    const found = (await pagefind.search(line)).results;
    const data = await Promise.all(found.map(result => result.data()));

    console.log(data.map(page => page.url).join(' '));
}
