# Copyright (C) The detemplate authors
#
# nginx with the module, and the processes that applications run in, all on
# loopback or sockets in one directory, stopped by process id.

import http.client
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE = os.environ.get(
    'TEST_NGINX_MODULE',
    f'{HERE}/../../build/ngx_http_detemplate_filter_module.so')
PROGRAM = os.environ.get('DETEMPLATE', f'{HERE}/../../build/detemplate')
NGINX = os.environ.get('TEST_NGINX_BINARY', 'nginx')
USER = 'www-data'

CONF = '''
load_module {module};
user {user};
daemon off;
worker_processes 1;
pid {dir}/nginx.pid;
error_log {dir}/error.log info;

events {{ }}

http {{
    include /etc/nginx/mime.types;
    access_log {dir}/access.log;
    client_body_temp_path {dir}/t1;
    proxy_temp_path {dir}/t2;
    fastcgi_temp_path {dir}/t3;
    uwsgi_temp_path {dir}/t4;
    scgi_temp_path {dir}/t5;

    detemplate_zone templates:8m;
    detemplate_path {dir}/templates;
    {program}

    map $http_x_mode $mode {{
        default  strip;
        off      off;
    }}

    # as in conf-examples/search.conf

    map $request_uri $index {{
        default                            cut;
        "~^[^?]*/(index\.[a-z]+)?(\?|$)"  keep;
        {index}
    }}

    map $http_x_mode $links {{
        default  cut;
        keep     $index;
    }}

    server {{
        listen      127.0.0.1:{port};
        server_name localhost;
        detemplate  $mode;
        detemplate_links  $links;
        detemplate_accept markdown;
        {wait}

        {location}

        location = /detemplate-status {{
            detemplate_status;
        }}
    }}
}}
'''


class Servers:
    def __init__(self, top):
        os.mkdir(top)
        os.chmod(top, 0o755)
        self.dir = top
        self.pids = []

        with socket.socket() as s:
            s.bind(('127.0.0.1', 0))
            self.port = s.getsockname()[1]

        self.host = f'localhost:{self.port}'

    def copy(self, source, name):
        path = f'{self.dir}/{name}'
        shutil.copytree(source, path, symlinks=False,
                        ignore_dangling_symlinks=True)

        return path

    def give(self, path):
        """makes path and all below the user's"""

        user = pwd.getpwnam(USER)
        os.chown(path, user.pw_uid, user.pw_gid)

        for top, dirs, files in os.walk(path):
            for name in dirs + files:
                os.chown(f'{top}/{name}', user.pw_uid, user.pw_gid,
                         follow_symlinks=False)

    def run(self, *args, **extra):
        """a command, as the user, to its end"""

        done = subprocess.run(
            ['setpriv', f'--reuid={USER}', f'--regid={USER}',
             '--clear-groups', *args], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, **extra)

        if done.returncode:
            raise RuntimeError(f'{args}: {done.stdout.decode()[-2000:]}')

        return done.stdout.decode()

    def spawn(self, *args, user=USER, **extra):
        """a server, until stop()"""

        with open(f'{self.dir}/servers.log', 'ab') as log:
            drop = ['setpriv', f'--reuid={user}', f'--regid={user}',
                    '--clear-groups'] if user else []
            p = subprocess.Popen([*drop, *args], stdout=log, stderr=log,
                                 stdin=subprocess.DEVNULL,
                                 start_new_session=True, **extra)

        self.pids.append(p)

        return p

    def wait(self, path):
        end = time.time() + 30

        while not os.path.exists(path):
            if time.time() > end:
                with open(f'{self.dir}/servers.log') as log:
                    raise RuntimeError(f'no {path}: {log.read()[-2000:]}')
            time.sleep(0.05)

    def php(self):
        """PHP as it is set up by its package; its socket"""

        os.mkdir(f'{self.dir}/sessions')
        self.give(f'{self.dir}/sessions')

        with open(f'{self.dir}/fpm.conf', 'w') as f:
            f.write(f'''
[global]
error_log = {self.dir}/fpm.log
daemonize = no
[www]
user = {USER}
group = {USER}
listen = {self.dir}/php.sock
listen.owner = {USER}
pm = static
pm.max_children = 3
php_value[session.save_path] = {self.dir}/sessions
''')

        binary = sorted(p for p in os.listdir('/usr/sbin')
                        if p.startswith('php-fpm'))[-1]
        self.spawn(f'/usr/sbin/{binary}', '-F', '-y', f'{self.dir}/fpm.conf',
                   user=None)
        self.wait(f'{self.dir}/php.sock')

        return f'unix:{self.dir}/php.sock'

    def cgi(self):
        self.give(self.dir)
        self.spawn('fcgiwrap', '-c', '2', '-s', f'unix:{self.dir}/cgi.sock')
        self.wait(f'{self.dir}/cgi.sock')

        return f'unix:{self.dir}/cgi.sock'

    def start(self, location, index):
        # a module that learns in a program of its own has to be told it

        program = f'detemplate_program {os.path.abspath(PROGRAM)};'

        with open(os.path.abspath(MODULE), 'rb') as f:
            if b'detemplate_program' not in f.read():
                program = ''

        wait = os.environ.get('APPS_WAIT', '0')

        with open(f'{self.dir}/nginx.conf', 'w') as f:
            f.write(CONF.format(module=os.path.abspath(MODULE), user=USER,
                                dir=self.dir, port=self.port,
                                location=location, program=program,
                                index=f'"~{index}" keep;' if index else '',
                                wait=f'detemplate_wait {wait};'))

        self.spawn(NGINX, '-p', self.dir, '-c', f'{self.dir}/nginx.conf',
                   '-e', f'{self.dir}/error.log', user=None)
        self.wait(f'{self.dir}/nginx.pid')

        end = time.time() + 10

        while time.time() < end:
            try:
                socket.create_connection(('127.0.0.1', self.port)).close()
                return
            except OSError:
                time.sleep(0.05)

    def stop(self):
        if os.environ.get('APPS_LOG'):
            os.system(f'grep detemplate: {self.dir}/error.log'
                      ' | grep -vF "[info]" | tail -60 >&2')

        for p in reversed(self.pids):
            p.send_signal(signal.SIGTERM)

        for p in self.pids:
            try:
                p.wait(10)
            except subprocess.TimeoutExpired:
                p.kill()
                p.wait()

            # some leave children behind

            try:
                os.killpg(p.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def request(self, url, mode):
        c = http.client.HTTPConnection('127.0.0.1', self.port, timeout=60)
        c.putrequest('GET', url, skip_host=True, skip_accept_encoding=True)
        c.putheader('Host', self.host)
        c.putheader('User-Agent', 'apps')

        if mode == 'markdown':
            c.putheader('Accept', 'text/markdown')
        else:
            c.putheader('X-Mode', mode)

        c.endheaders()
        r = c.getresponse()
        body = r.read()
        c.close()

        return r, body

    def get(self, url, mode):
        """what the module says of a page, without version, and its body"""

        r, body = self.request(url, mode)
        said = r.getheader('Detemplate', 'off').replace('; mode=strip', '')

        return (said.split('; version')[0].replace('; reason=', ' '), body)

    def fetch(self, url, mode):
        """a page of HTML, behind redirects, or None"""

        for _ in range(4):
            r, body = self.request(url, mode)

            if r.status in (301, 302, 303, 307, 308):
                where = r.getheader('Location', '')
                url = where.split(self.host, 1)[-1]

                if not url.startswith('/'):
                    return None
                continue

            html = r.getheader('Content-Type', '').startswith(
                ('text/html', 'application/xhtml'))

            return (url, body) if r.status == 200 and html else None

        return None

    def status(self):
        return json.loads(self.request('/detemplate-status', 'off')[1])

    def quiet(self):
        end = time.time() + 60

        while time.time() < end:
            time.sleep(0.2)
            now = self.status()['learning']

            if now['queued'] + now['running'] == 0:
                return

    def loads(self):
        return sum(s.get('loads', 0) for s in self.status()['sites'])
