# Copyright (C) The detemplate authors
#
# The applications: how each is set up, and where it is served.

import glob
import html
import json
import os
import re
import shutil

PAGES = 60
MANUAL = '/usr/share/doc/git/html'

PHP = '''
        root {root};
        index index.php doku.php;

        location / {{
            try_files $uri $uri/ {fallback};
        }}

        location ~ ^(?<script>/[^?]*\\.php)(?<info>/.*)?$ {{
            include /etc/nginx/fastcgi_params;
            fastcgi_param SCRIPT_FILENAME {root}$script;
            fastcgi_param SCRIPT_NAME $script;
            fastcgi_param PATH_INFO $info;
            fastcgi_param HTTP_HOST $http_host;
            fastcgi_pass {socket};
        }}
'''

CGI = '''
        location / {{
            include /etc/nginx/fastcgi_params;
            fastcgi_param SCRIPT_FILENAME {script};
            fastcgi_param PATH_INFO $uri;
            {more}
            fastcgi_pass {socket};
        }}
'''


PROXY = '''
        location / {{
            proxy_pass http://{socket};
            proxy_set_header Host $http_host;
            proxy_set_header Accept-Encoding "";
        }}
'''


STATIC = '''
        root {root};
        index index.html;

        location / {{
            try_files $uri $uri.html $uri/ =404;
        }}
'''


class App:
    """where it is, and which of its pages are indexes besides directories"""

    most = 90

    def __init__(self, location, start, index=None):
        self.location = location
        self.start = start
        self.index = index


def sections():
    """(name, title, [(heading, paragraphs)]) of git's manual pages"""

    files = [f for f in sorted(glob.glob(f'{MANUAL}/git-*.txt'))
             if os.path.getsize(f) > 3000]

    for f in files[:PAGES]:
        with open(f, encoding='utf-8', errors='replace') as fh:
            text = fh.read()

        text = re.sub(r'^(?:include|ifdef|ifndef|endif)::.*$|^={3,}$'
                      r'|^\.{4,}$|^\[.*\]$', '', text, flags=re.M)
        text = re.sub(r'linkgit:([a-z0-9-]+)\[\d\]', r'\1', text)
        made = []

        for at, part in enumerate(
                re.split(r'^(\w.*)\n(?:-{3,}|~{3,})$', text, flags=re.M)):
            if at % 2:
                made.append((part, []))
            else:
                paragraphs = [' '.join(q.split())
                              for q in re.split(r'\n\s*\n|^-{3,}$', part,
                                                flags=re.M)]
                made = made or [('', [])]
                made[-1][1].extend(q for q in paragraphs if len(q) > 40)

        name = os.path.basename(f)[:-4]

        yield (name, name.replace('-', ' ').capitalize(),
               [(heading, parts[:9]) for heading, parts in made if parts])


def articles():
    """(name, title, paragraphs) of them"""

    for name, title, made in sections():
        yield name, title, [q for _, parts in made for q in parts][:25]


def links(i):
    names = [name for name, _, _ in articles()]

    return [names[(i + k) % len(names)] for k in (1, 2, 7)]


def dokuwiki(s):
    root = s.copy('/usr/share/dokuwiki', 'dokuwiki')
    conf = s.copy('/etc/dokuwiki', 'conf')
    data = s.copy('/var/lib/dokuwiki/data', 'data')

    with open(f'{root}/inc/preload.php') as f:
        preload = f.read().replace('/etc/dokuwiki/', f'{conf}/')

    os.remove(f'{root}/inc/preload.php')
    with open(f'{root}/inc/preload.php', 'w') as f:
        f.write(preload)

    with open(f'{conf}/local.php', 'a') as f:
        f.write(f"\n$conf['savedir'] = '{data}';\n")

    names = []

    for i, (name, title, made) in enumerate(sections()):
        names.append(name)
        with open(f'{data}/pages/{name}.txt', 'w') as f:
            f.write(f'====== {title} ======\n\n')

            for heading, parts in made:
                f.write(f'===== {heading} =====\n\n' if heading else '')
                f.write(''.join(f'%%{p}%%\n\n' for p in parts))

            f.write('See also: '
                    + ', '.join(f'[[{n}]]' for n in links(i)) + '\n')

    with open(f'{data}/pages/start.txt', 'w') as f:
        f.write('====== Manual ======\n\n'
                + ''.join(f'  * [[{n}]]\n' for n in names))

    s.give(conf)
    s.give(data)

    return App(PHP.format(root=root, socket=s.php(), fallback='/doku.php'),
               '/')


def mediawiki(s, skin=None):
    root = s.copy('/usr/share/mediawiki', 'mediawiki')

    os.makedirs(f'{root}/extensions', exist_ok=True)
    os.makedirs(f'{root}/images', exist_ok=True)
    os.mkdir(f'{s.dir}/db')
    s.give(root)
    s.give(f'{s.dir}/db')

    s.run('php', f'{root}/maintenance/install.php', '--dbtype=sqlite',
          f'--dbpath={s.dir}/db', '--pass=plums-and-pears',
          f'--server=http://{s.host}', '--scriptpath=', 'Manual', 'Admin')

    if skin:
        with open(f'{root}/LocalSettings.php', 'a') as f:
            f.write(f"\nwfLoadSkin('Vector');\n$wgDefaultSkin = '{skin}';\n")

    os.mkdir(f'{s.dir}/import')
    names = []

    for i, (name, title, made) in enumerate(sections()):
        names.append(title)
        titles = [n.replace('-', ' ').capitalize() for n in links(i)]
        with open(f'{s.dir}/import/{title}', 'w') as f:
            for heading, parts in made:
                f.write(f'== {heading} ==\n\n' if heading else '')
                f.write(''.join(f'<nowiki>{html.escape(p)}</nowiki>\n\n'
                                for p in parts))

            f.write('See also: '
                    + ', '.join(f'[[{n}]]' for n in titles) + '\n')

    with open(f'{s.dir}/import/Main Page', 'w') as f:
        f.write(''.join(f'* [[{n}]]\n' for n in names))

    s.run('php', f'{root}/maintenance/importTextFiles.php', '--overwrite',
          *sorted(glob.glob(f'{s.dir}/import/*')))

    return App(PHP.format(root=root, socket=s.php(),
                          fallback='/index.php'), '/',
               '^/index\\.php/Main_Page$')


def repository(s):
    """git-doc as a project with a history"""

    path = f'{s.dir}/repositories/manual.git'
    work = f'{s.dir}/work'
    os.mkdir(f'{s.dir}/repositories')
    os.mkdir(work)
    s.give(s.dir)

    def git(*args):
        s.run('git', '-c', 'user.name=Ann', '-c', 'user.email=ann@a.test',
              '-c', 'safe.directory=*', *args, cwd=work,
              env={**os.environ, 'HOME': s.dir})

    git('init', '-q', '-b', 'master', '.')

    for i, (name, title, parts) in enumerate(articles()):
        os.makedirs(f'{work}/{name[4]}', exist_ok=True)
        with open(f'{work}/{name[4]}/{name}.txt', 'w') as f:
            f.write(title + '\n\n' + '\n\n'.join(parts) + '\n')
        s.give(work)

        if i % 3 == 2:
            git('add', '-A')
            git('commit', '-q', '-m', f'{title}: {parts[0][:60]}')

    git('clone', '-q', '--bare', work, path)

    with open(f'{path}/description', 'w') as f:
        f.write('The manual of git\n')

    s.give(path)

    return path


def cgit(s):
    path = repository(s)

    with open(f'{s.dir}/cgitrc', 'w') as f:
        f.write(f'css=/cgit.css\nlogo=/cgit.png\nvirtual-root=/\n'
                f'repo.url=manual\nrepo.path={path}\n'
                f'repo.desc=The manual of git\n')

    return App(CGI.format(script='/usr/lib/cgit/cgit.cgi', socket=s.cgi(),
                          more=f'fastcgi_param CGIT_CONFIG {s.dir}/cgitrc;'),
               '/')


def gitweb(s):
    repository(s)

    with open(f'{s.dir}/gitweb.conf', 'w') as f:
        f.write(f'$projectroot = "{s.dir}/repositories";\n'
                '$my_uri = "/";\n$home_link = "/";\n'
                f'$base_url = "http://{s.host}";\n')

    return App(CGI.format(script='/usr/share/gitweb/gitweb.cgi',
                          socket=s.cgi(),
                          more='fastcgi_param GITWEB_CONFIG '
                               f'{s.dir}/gitweb.conf;'),
               '/')


def wordpress(s, permalinks=''):
    root = s.copy('/usr/share/wordpress', 'wordpress')
    data = f'{s.dir}/db'
    sock = f'{data}/db.sock'

    for top, dirs, files in os.walk(f'{root}/wp-content'):
        for name in dirs + files:
            path = f'{top}/{name}'
            if os.path.islink(path) and not os.path.exists(path):
                os.remove(path)

    os.mkdir(data)
    s.give(data)
    s.run('mariadb-install-db', f'--datadir={data}', '--no-defaults',
          '--auth-root-authentication-method=normal')
    s.spawn('mariadbd', '--no-defaults', f'--datadir={data}',
            f'--socket={sock}', '--skip-networking', '--skip-grant-tables')
    s.wait(sock)
    s.run('mariadb', '--no-defaults', f'--socket={sock}', '-e',
          'create database blog')

    if os.path.islink(f'{root}/wp-config.php'):
        os.remove(f'{root}/wp-config.php')

    with open(f'{root}/wp-config.php', 'w') as f:
        f.write(f"""<?php
define('DB_NAME', 'blog');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:{sock}');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_SITEURL', 'http://{s.host}');
define('WP_HOME', 'http://{s.host}');
$table_prefix = 'wp_';
if (!defined('ABSPATH')) {{ define('ABSPATH', __DIR__ . '/'); }}
require_once ABSPATH . 'wp-settings.php';
""")

    posts = ''.join(
        "wp_insert_post(['post_status' => 'publish', 'post_title' => "
        + quoted(title) + ", 'post_name' => " + quoted(name)
        + ", 'post_date' => '2024-%02d-%02d 10:00:00'" % (
            1 + i % 12, 1 + i % 27)
        + ", 'post_content' => "
        + quoted('\n\n'.join(f'<p>{html.escape(p)}</p>' for p in parts))
        + ']);\n'
        for i, (name, title, parts) in enumerate(articles()))

    with open(f'{s.dir}/install.php', 'w') as f:
        f.write(f"""<?php
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '{s.host}';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['REQUEST_METHOD'] = 'GET';
require '{root}/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
function wp_new_blog_notification($a, $b, $c, $d) {{ }}
wp_install('Manual', 'admin', 'ann@a.test', true, '', 'plums-and-pears');
update_option('permalink_structure', {quoted(permalinks)});
{posts}
flush_rewrite_rules();
""")

    s.give(root)
    s.run('php', f'{s.dir}/install.php')

    return App(PHP.format(root=root, socket=s.php(),
                          fallback='/index.php?$args'), '/')


# articles as pages of a wiki, and every second one as an issue, too
FILL = '''
require 'json'
author = User.find_by_login('admin')
project = Project.new(name: 'Manual', description: 'The manual of git.')
project.identifier = 'manual'
project.is_public = true
project.enabled_module_names = %w(issue_tracking wiki)
project.trackers = Tracker.all
project.save!
wiki = project.reload.wiki
put = lambda do |title, text|
  page = wiki.find_or_new_page(title)
  page.content = WikiContent.new(text: text, author: author)
  page.save!
end
articles = JSON.parse(File.read(ARGV[0]))
put.call('Wiki', articles.map { |a| "* [[#{a[0]}]]" }.join("\\n"))
articles.each_with_index do |(title, parts, links), i|
  put.call(title, "h1. #{title}\\n\\n" + parts.map { |p|
    "<notextile>#{ERB::Util.html_escape(p)}</notextile>"
  }.join("\\n\\n") + "\\n\\nSee also: " +
    links.map { |l| "[[#{l}]]" }.join(', '))
  next if i.odd?
  Issue.create!(project: project, tracker: project.trackers.first,
    author: author, subject: parts[0][0, 60],
    description: parts[1..3].to_a.join("\\n\\n"),
    status: IssueStatus.first, priority: IssuePriority.first)
end
'''


def redmine(s):
    root = s.copy('/usr/share/redmine', 'redmine')
    conf = f'{root}/instances/default'
    env = {**os.environ, 'HOME': s.dir, 'RAILS_ENV': 'production',
           'REDMINE_LANG': 'en'}

    shutil.rmtree(f'{root}/instances', ignore_errors=True)

    for name in ('config', 'log', 'tmp', 'files'):
        os.makedirs(f'{conf}/{name}')

    with open(f'{conf}/config/database.yml', 'w') as f:
        f.write(f'production:\n  adapter: sqlite3\n'
                f'  database: {s.dir}/redmine.db\n')

    with open(f'{conf}/config/secret_key.txt', 'w') as f:
        f.write('plums and pears ' * 4)

    # it looks for the kinds of its databases where it is installed

    with open(f'{root}/Gemfile') as f:
        gems = f.read().replace('/usr/share/redmine/', f'{root}/')

    with open(f'{root}/Gemfile', 'w') as f:
        f.write(gems)

    with open(f'{s.dir}/fill.rb', 'w') as f:
        f.write(FILL)

    with open(f'{s.dir}/fill.json', 'w') as f:
        json.dump([(title, parts, [n.replace('-', ' ').capitalize()
                                   for n in links(i)])
                   for i, (_, title, parts) in enumerate(articles())], f)

    s.give(s.dir)

    for args in (('rake', 'db:migrate'), ('rake', 'redmine:load_default_data'),
                 ('bundle', 'exec', 'rails', 'runner', f'{s.dir}/fill.rb',
                  f'{s.dir}/fill.json')):
        s.run(*args, cwd=root, env=env)

    s.spawn('puma', '-C', '/dev/null', '-b', f'unix://{s.dir}/puma.sock',
            '-t', '3:3', '--dir', root, 'config.ru', cwd=root, env=env)
    s.wait(f'{s.dir}/puma.sock')

    return App(PROXY.format(socket=f'unix:{s.dir}/puma.sock'), '/',
               '^/(issues|projects(/[^/?]+)?)(\\?|$)')


def quoted(text):
    return "'" + text.replace('\\', '\\\\').replace("'", "\\'") + "'"


def wordpress_names(s):
    return wordpress(s, '/%postname%/')


def mediawiki_2022(s):
    return mediawiki(s, 'vector-2022')


def npm(s, *packages):
    """installs packages, and returns their directory; they are not Debian's"""

    path = f'{s.dir}/npm'
    os.mkdir(path)
    s.give(s.dir)
    s.run('npm', 'install', '--prefix', path, '--cache', f'{path}/cache',
          '--no-audit', '--no-fund', *packages, cwd=path,
          env={**os.environ, 'HOME': path})

    return path


def markdown(parts, i, suffix):
    """an article for generators whose Markdown may contain components"""

    text = '\n\n'.join(re.sub(r'[<>{}\\`*_#\[\]|&]',
                              lambda m: f'&#{ord(m[0])};', p) for p in parts)

    return text + '\n\nSee also: ' + ', '.join(
        f'[{n}](./{n}{suffix})' for n in links(i)) + '\n'


def vitepress(s):
    path = npm(s, 'vitepress@1')
    all = list(articles())
    os.makedirs(f'{path}/docs/.vitepress')

    with open(f'{path}/docs/.vitepress/config.mjs', 'w') as f:
        f.write('export default ' + json.dumps({
            'title': 'Manual', 'cleanUrls': True, 'themeConfig': {
                'nav': [{'text': title, 'link': f'/{name}'}
                        for name, title, _ in all[:4]],
                'sidebar': [{'text': 'Commands', 'items': [
                    {'text': title, 'link': f'/{name}'}
                    for name, title, _ in all]}],
                'footer': {'message': 'Written by the people of git.'}}}))

    for i, (name, title, parts) in enumerate(all):
        with open(f'{path}/docs/{name}.md', 'w') as f:
            f.write(f'# {title}\n\n' + markdown(parts, i, ''))

    with open(f'{path}/docs/index.md', 'w') as f:
        f.write('# Manual\n\n' + ''.join(f'- [{name}](./{name})\n'
                                         for name, _, _ in all))

    s.give(path)
    s.run('node', f'{path}/node_modules/vitepress/bin/vitepress.js', 'build',
          'docs', cwd=path, env={**os.environ, 'HOME': path})

    return App(STATIC.format(root=f'{path}/docs/.vitepress/dist'), '/')


def docusaurus(s):
    path = npm(s, '@docusaurus/core@3', '@docusaurus/preset-classic@3',
               'react@19', 'react-dom@19')
    all = list(articles())
    os.mkdir(f'{path}/docs')

    with open(f'{path}/docusaurus.config.js', 'w') as f:
        f.write('module.exports = ' + json.dumps({
            'title': 'Manual', 'url': 'http://localhost', 'baseUrl': '/',
            'trailingSlash': False,
            'onBrokenLinks': 'warn',
            'markdown': {'format': 'md'}, 'presets': [['classic', {
                'docs': {'routeBasePath': '/'}, 'blog': False}]],
            'themeConfig': {
                'navbar': {'title': 'Manual', 'items': [
                    {'to': f'/{name}', 'label': title}
                    for name, title, _ in all[:4]]},
                'footer': {'copyright': 'Written by the people of git.'}}}))

    for i, (name, title, parts) in enumerate(all):
        with open(f'{path}/docs/{name}.md', 'w') as f:
            f.write(f'# {title}\n\n' + markdown(parts, i, '.md'))

    with open(f'{path}/docs/index.md', 'w') as f:
        f.write('---\nslug: /\n---\n\n# Manual\n\n' + ''.join(
            f'- [{name}](./{name}.md)\n' for name, _, _ in all))

    s.give(path)
    s.run('node', f'{path}/node_modules/@docusaurus/core/bin/docusaurus.mjs',
          'build', cwd=path, env={**os.environ, 'HOME': path})

    return App(STATIC.format(root=f'{path}/build'), '/')


APPS = {
    'dokuwiki': dokuwiki,
    'mediawiki': mediawiki,
    'mediawiki-2022': mediawiki_2022,
    'wordpress': wordpress,
    'wordpress-names': wordpress_names,
    'cgit': cgit,
    'gitweb': gitweb,
    'redmine': redmine,
    'vitepress': vitepress,
    'docusaurus': docusaurus,
}

